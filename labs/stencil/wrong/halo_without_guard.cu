// expect: out_of_bounds - loads the halo before the first and behind the last element of the array
#define BLOCK 256
#define RADIUS 3

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    __shared__ int cells[RADIUS + BLOCK + RADIUS];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    cells[RADIUS + t] = i < n ? in[i] : 0;
    if (t < RADIUS) {
        cells[t] = in[i - RADIUS];
        cells[RADIUS + BLOCK + t] = in[i + BLOCK];
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
