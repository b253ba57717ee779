// cause: % n sends the threads that have no element back to the first ones
// first: race_global update
// says: each thread reads it, changes it and writes it back, so a change can be lost
// asks: Which index does each of them compute?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) % n;   // never outside of the array
    float x = a[i];
    a[i] = x + x;
}
