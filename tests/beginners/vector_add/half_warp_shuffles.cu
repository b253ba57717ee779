// cause: float y0 = __shfl_down_sync(0xffffffff, v0, 16); stands inside if (lane < 16), so lanes 16 to 31, which hold b, never reach the shuffle and what is read from them is undefined
// first: uninitialized shuffle
// says: c[0] is computed from what the shuffle at line 16 gets from lane 16
// asks: Which lanes are still there when this shuffle runs, and what should the others contribute?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int lane = threadIdx.x % 32;
    int first = blockIdx.x * blockDim.x + threadIdx.x - lane;
    int e = first + 2 * (lane % 16);
    const float *src = lane < 16 ? a : b;

    float v0 = e < n ? src[e] : 0.0f;
    float v1 = e + 1 < n ? src[e + 1] : 0.0f;

    if (lane < 16) {
        float y0 = __shfl_down_sync(0xffffffff, v0, 16);
        float y1 = __shfl_down_sync(0xffffffff, v1, 16);
        if (e < n) c[e] = v0 + y0;
        if (e + 1 < n) c[e + 1] = v1 + y1;
    }
}
