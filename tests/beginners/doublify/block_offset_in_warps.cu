// cause: the block offset is counted in warps of 32 instead of blocks of blockDim.x threads (line 8), so from n = 257 on blocks overlap, elements are doubled several times in a race and the end is never reached
// first: race_global update
// says: i = blockIdx.x*warpSize + threadIdx.x = 1*32 + 0 = 32
// asks: Which index does each of them compute?
extern "C" __global__ void doublify(float *a, int n)
{
    // which element is mine?
    int i = blockIdx.x * warpSize + threadIdx.x;
    if (i < n) {
        a[i] = 2.0f * a[i];
    }
}
