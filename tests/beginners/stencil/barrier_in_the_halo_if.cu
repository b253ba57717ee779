// cause: the barrier is inside of the if of the threads that fill the halo
// first: barrier_divergent branch
// says: 253 went around it and on to line 20
// asks: Which threads does the if in the message let through to the barrier, and what do the others do meanwhile?
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
        __syncthreads();
    }
    if (i < n) {
        int sum = 0;
        for (int k = 0; k <= 2 * RADIUS; k++) {
            sum += cells[t + k];
        }
        out[i] = sum;
    }
}
