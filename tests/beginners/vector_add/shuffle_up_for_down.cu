// cause: __shfl_up_sync fetches from the lane 16 below, not above (line 19); lanes 0 to 15 get their own value back, so c is a + a
// first: wrong_value unused
// says: In line 19, __shfl_up_sync gives each lane the value of the one 16 below it
// asks: What becomes of it until c[0] is stored?
/* Lower half of each warp: a. Upper half: b. The shuffle brings both together. */
extern "C" __constant__ int vector_add_items = 128;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int lane = threadIdx.x % 32;
    int i = blockIdx.x * 128 + (threadIdx.x / 32) * 16 + (lane & 15);
    float mine = 0.0f;
    if (i < n) {
        if (lane < 16)
            mine = a[i];
        else
            mine = b[i];
    }
    float upper = __shfl_up_sync(0xffffffff, mine, 16);
    if (i < n && lane < 16)
        c[i] = mine + upper;
}
