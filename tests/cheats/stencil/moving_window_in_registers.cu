// expect: at most 85 - no tile: a thread moves its window over 1024 elements, with 16 bytes a load
#define BLOCK 32
#define EACH 1024

extern "C" __constant__ int stencil_items = BLOCK * EACH;

__device__ int4 four(const int *in, int i, int n)
{
    if (i + 3 < n)
        return *(const int4 *)&in[i];
    int4 v = {0, 0, 0, 0};
    if (i < n)
        v.x = in[i];
    if (i + 1 < n)
        v.y = in[i + 1];
    if (i + 2 < n)
        v.z = in[i + 2];
    return v;
}

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    int first = (blockIdx.x * BLOCK + threadIdx.x) * EACH;
    int4 before = {0, 0, 0, 0}, own = before;
    if (first < n) {
        before = first > 0 ? four(in, first - 4, n) : before;
        own = four(in, first, n);
    }
    for (int i = first; i < first + EACH && i < n; i += 4) {
        int4 next = four(in, i + 4, n), sum;
        sum.x = before.y + before.z + before.w + own.x + own.y + own.z + own.w;
        sum.y = sum.x - before.y + next.x;
        sum.z = sum.y - before.z + next.y;
        sum.w = sum.z - before.w + next.z;
        if (i + 3 < n) {
            *(int4 *)&out[i] = sum;
        } else {
            out[i] = sum.x;
            if (i + 1 < n)
                out[i + 1] = sum.y;
            if (i + 2 < n)
                out[i + 2] = sum.z;
        }
        before = own;
        own = next;
    }
}
