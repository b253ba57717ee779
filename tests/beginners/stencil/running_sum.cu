// cause: thread t adds to the sum of the thread before it
// first: race_warp chain
// says: one thread needs what the other replaces
// asks: This line reads an element of out that another thread replaces. Which value do you want: the one from before, or the new one?
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
    if (i < n)
        out[i] = (i > 0 ? out[i - 1] : 0) + cells[t + 6] - (t > 0 ? cells[t - 1] : 0);
}
