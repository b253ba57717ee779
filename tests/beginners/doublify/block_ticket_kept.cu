// cause: each block draws its number from a __device__ counter, which the next launch finds where this one left it
// first: never_written kept
// says: adds to blocks_seen, a variable that keeps its value from one launch to the next, and no line sets it again.
// asks: What differs between the two runs
__device__ unsigned blocks_seen = 0;

extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ unsigned block;
    if (threadIdx.x == 0)
        block = atomicAdd(&blocks_seen, 1u);
    __syncthreads();
    unsigned i = block * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] *= 2.0f;
}
