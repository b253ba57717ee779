// cause: the sum is made in the thread's own cell, which others still read
// first: race_shared step
// says: no barrier separates the reads and the writes of the steps
// asks: In one step, which thread writes the cell that this thread reads?
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
    for (int k = 1; k <= RADIUS; k++)
        cells[RADIUS + t] += cells[RADIUS + t - k] + cells[RADIUS + t + k];
    if (i < n)
        out[i] = cells[RADIUS + t];
}
