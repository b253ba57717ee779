// expect: pass - all cells are set to 0 first, a barrier, then the elements that exist are loaded
#define BLOCK 256
#define RADIUS 3

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    __shared__ int cells[RADIUS + BLOCK + RADIUS];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    for (int c = t; c < RADIUS + BLOCK + RADIUS; c += BLOCK)
        cells[c] = 0;
    __syncthreads();
    if (i < n)
        cells[RADIUS + t] = in[i];
    if (t < RADIUS && i >= RADIUS)
        cells[t] = in[i - RADIUS];
    if (t < RADIUS && i + BLOCK < n)
        cells[RADIUS + BLOCK + t] = in[i + BLOCK];
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 7; k++)
        sum += cells[t + k];
    if (i < n)
        out[i] = sum;
}
