// cause: Block 0 clears all of c (line 10), but __syncthreads() in line 12 does not wait for other blocks, so for n > 256 the clearing races with the += of the other blocks in line 16 (rubbish added, or the sum overwritten by 0).
// first: race_global blocks
// says: c[256] written by thread (0,0,0) of block (0,0,0) (line 10) and read by thread (0,0,0) of block (1,0,0) (line 16); nothing orders the two blocks.
// asks: With which index does each of them read, and with which does it write?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    // c holds rubbish, so clear it first
    if (blockIdx.x == 0) {
        for (int k = threadIdx.x; k < n; k += blockDim.x)
            c[k] = 0.0f;
    }
    __syncthreads();

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] += a[i] + b[i];
}
