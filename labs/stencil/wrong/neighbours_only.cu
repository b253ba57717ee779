// expect: wrong_value - adds the three cells on each side and forgets the element itself
#define BLOCK 256
#define RADIUS 3

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    __shared__ int cells[RADIUS + BLOCK + RADIUS];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    cells[RADIUS + t] = i < n ? in[i] : 0;
    if (t < RADIUS) {
        int left = i - RADIUS, right = i + BLOCK;
        cells[t] = left >= 0 ? in[left] : 0;
        cells[RADIUS + BLOCK + t] = right < n ? in[right] : 0;
    }
    __syncthreads();
    if (i < n) {
        int sum = 0;
        for (int k = 1; k <= RADIUS; k++) {
            sum += cells[RADIUS + t - k] + cells[RADIUS + t + k];
        }
        out[i] = sum;
    }
}
