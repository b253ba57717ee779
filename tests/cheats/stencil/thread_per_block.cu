// expect: at most 93 - one thread of each block computes the whole piece with a moving window; the others burn instructions
#define BLOCK 256
#define RADIUS 3

// Dead work for threads that have none: nothing of it reaches memory.
__device__ void burn(int turns)
{
    for (int k = 0; k < turns; k++) {
        asm volatile("{ .reg .b32 t; mov.b32 t, 1; mov.b32 t, 2; mov.b32 t, 3; mov.b32 t, 4; mov.b32 t, 5; mov.b32 t, 6; }");
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    __shared__ int show;
    if (threadIdx.x > 0) {
        burn(100);
        return;
    }
    int first = blockIdx.x * BLOCK, end = min(n, first + BLOCK), sum = 0;
    for (int k = max(first - RADIUS - 1, 0); k < min(first + RADIUS, n); k++)
        sum += in[k];
    for (int i = first; i < end; i++) {
        sum += i + RADIUS < n ? in[i + RADIUS] : 0;
        sum -= i > RADIUS ? in[i - RADIUS - 1] : 0;
        show = sum;
        out[i] = show;
    }
}
