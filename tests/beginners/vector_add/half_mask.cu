// cause: The mask 0xffff in line 12 names only lanes 0 to 15, but all 32 lanes of the warp call the shuffle (lanes 16 to 31 are not in the mask).
// first: sync_mask unnamed
// says: the mask 0x0000ffff leaves out lane 16, which executes this line
// asks: Which bits are set
// warp-centric version
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int lane = threadIdx.x & 31;
    int start = 0;
    if (lane == 0)
        start = blockIdx.x * blockDim.x + threadIdx.x;
    start = __shfl_sync(0xffff, start, 0);

    const int i = start + lane;
    if (i < n)
        c[i] = a[i] + b[i];
}
