// expect: pass - the first lane of a warp computes where the warp begins, and a shuffle tells the others
#define FULL_MASK 0xffffffff

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int lane = threadIdx.x % 32;
    int base = 0;

    // the first lane computes the start of the warp, the others get it from there
    if (lane == 0)
        base = blockIdx.x * blockDim.x + threadIdx.x;
    base = __shfl_sync(FULL_MASK, base, 0);

    int i = base + lane;
    if (i < n)
        c[i] = fmaf(1.0f, a[i], b[i]);
}
