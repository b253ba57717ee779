// expect: uninitialized - the ends of the array are asked for, but nobody fills their cells with zeros
#define BLOCK 256
#define RADIUS 3

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    __shared__ int cells[RADIUS + BLOCK + RADIUS];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    if (i < n)
        cells[RADIUS + t] = in[i];
    if (t < RADIUS) {
        int left = i - RADIUS, right = i + BLOCK;
        if (left >= 0)
            cells[t] = in[left];
        if (right < n)
            cells[RADIUS + BLOCK + t] = in[right];
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
