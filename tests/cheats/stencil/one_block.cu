// expect: at most 93 - one block walks over arrays of any length, tile by tile
#define BLOCK 256
#define RADIUS 3

extern "C" __constant__ int stencil_items = 1 << 30;

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    __shared__ int cells[RADIUS + BLOCK + RADIUS];
    int t = threadIdx.x;
    for (int start = 0; start < n; start += BLOCK) {
        int i = start + t;
        cells[RADIUS + t] = i < n ? in[i] : 0;
        if (t < RADIUS) {
            cells[t] = i >= RADIUS ? in[i - RADIUS] : 0;
            cells[RADIUS + BLOCK + t] = i + BLOCK < n ? in[i + BLOCK] : 0;
        }
        __syncthreads();
        if (i < n) {
            int sum = 0;
            for (int k = 0; k <= 2 * RADIUS; k++) {
                sum += cells[t + k];
            }
            out[i] = sum;
        }
        __syncthreads();
    }
}
