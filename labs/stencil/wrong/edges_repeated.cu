// expect: wrong_value - repeats the first and the last element beyond the ends instead of zeros
#define BLOCK 256
#define RADIUS 3

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    __shared__ int cells[RADIUS + BLOCK + RADIUS];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    cells[RADIUS + t] = in[min(i, n - 1)];
    if (t < RADIUS) {
        cells[t] = in[max(i - RADIUS, 0)];
        cells[RADIUS + BLOCK + t] = in[min(i + BLOCK, n - 1)];
    }
    __syncthreads();
    if (i < n) {
        int sum = 0;
        for (int k = 0; k <= 2 * RADIUS; k++) {
            sum += cells[t + k];
        }
        out[i] = sum;
    }
}
