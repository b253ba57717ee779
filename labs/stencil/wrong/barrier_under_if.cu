// expect: early_exit - the barrier is under the condition that there is an element
#define BLOCK 256
#define RADIUS 3

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    __shared__ int cells[RADIUS + BLOCK + RADIUS];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    if (i < n) {
        cells[RADIUS + t] = in[i];
        if (t < RADIUS) {
            int left = i - RADIUS, right = i + BLOCK;
            cells[t] = left >= 0 ? in[left] : 0;
            cells[RADIUS + BLOCK + t] = right < n ? in[right] : 0;
        }
        __syncthreads();
        int sum = 0;
        for (int k = 0; k <= 2 * RADIUS; k++) {
            sum += cells[t + k];
        }
        out[i] = sum;
    }
}
