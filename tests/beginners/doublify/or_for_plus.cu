// cause: const int i = (blockIdx.x * blockDim.x) | threadIdx.x; is a sum only if the block is a power of two; with 96 threads, bits of both parts coincide, so threads share elements (race) and others are left out
// first: race_global update
// says: each thread reads it, changes it and writes it back, so a change can be lost
// asks: Which index does each of them compute?
// smaller blocks: 3 warps
extern "C" __global__ void __launch_bounds__(96) doublify(float *a, int n)
{
    const int i = (blockIdx.x * blockDim.x) | threadIdx.x;
    if (i < n)
        a[i] += a[i];
}
