// cause: each thread adds its element to the seven sums it belongs to
// first: early_exit passed_by
// says: Line 15 is inside the `if` of line 13
// asks: Some threads reach the end of the kernel, but never this barrier. What is around the barrier, or before it, that keeps them away?
#define BLOCK 256
#define RADIUS 3

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    __shared__ int cells[RADIUS + BLOCK + RADIUS];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    if (i < n) {
        out[i] = 0;
        __syncthreads();
        for (int k = -RADIUS; k <= RADIUS; k++) {
            if (i + k >= 0 && i + k < n)
                out[i + k] += in[i];
        }
    }
}
