// cause: the loop advances by one block and not by the whole grid, so elements are doubled by several blocks
// first: race_global update
// says: each thread reads it, changes it and writes it back, so a change can be lost
// asks: Two threads change the same element of a. Which index does each of them compute?
extern "C" __global__ void doublify(float *a, int n)
{
    unsigned tid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned step = blockDim.x;

    for (unsigned k = tid; k < n; k += step)
        a[k] = a[k] + a[k];
}
