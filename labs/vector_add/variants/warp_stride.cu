// expect: pass - each warp takes 32 elements at a time, in a loop over all of them
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int warp = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
    int lane = threadIdx.x & 31;
    int warps = gridDim.x * (blockDim.x >> 5);

    // each warp takes 32 elements at a time
    for (int w = warp; w * 32 < n; w += warps) {
        int i = w * 32 + lane;
        if (i < n) {
            float x = a[i];
            x += b[i];
            c[i] = x;
        }
    }
}
