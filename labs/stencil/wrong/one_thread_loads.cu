// expect: budget max_thread_share - right, but thread 0 fills the whole tile
#define BLOCK 256
#define RADIUS 3

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    __shared__ int cells[RADIUS + BLOCK + RADIUS];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    if (t == 0) {
        for (int c = 0; c < RADIUS + BLOCK + RADIUS; c++) {
            int from = blockIdx.x * BLOCK + c - RADIUS;
            cells[c] = from >= 0 && from < n ? in[from] : 0;
        }
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
