// cause: gridDim instead of blockDim
// first: race_global update
// says: each thread reads it, changes it and writes it back, so a change can be lost
// asks: Two threads change the same element of a. Which index does each of them compute?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * gridDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2 * a[i];
}
