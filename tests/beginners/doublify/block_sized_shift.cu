// cause: the place in the block is added to the number of bits, not to the shifted number
// first: race_global update
// says: each thread reads it, changes it and writes it back, so a change can be lost
// asks: Which index does each of them compute?
extern "C" __global__ void doublify(float *a, int n)
{
    int bits = 8;
    int k = blockIdx.x << threadIdx.x + bits;
    if (k < n)
        a[k] *= 2;
}
