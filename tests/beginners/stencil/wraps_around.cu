// cause: elements at the ends are neighbours of those at the other end
// first: out_of_bounds negative
// says: read in[-1], but in has 2 elements
// asks: The index is below 0. Which part of its formula is negative in this thread?
#define BLOCK 256
#define RADIUS 3

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    __shared__ int cells[RADIUS + BLOCK + RADIUS];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    cells[RADIUS + t] = in[i % n];
    if (t < RADIUS) {
        cells[t] = in[(i - RADIUS + n) % n];
        cells[RADIUS + BLOCK + t] = in[(i + BLOCK) % n];
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
