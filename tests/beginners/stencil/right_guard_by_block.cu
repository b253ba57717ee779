// cause: the halo on the right is guarded by the number of the block, not by n
// first: out_of_bounds guarded
// says: read in[257], but in has 257 elements
// asks: Does it ask about the very index that is used, and about the length of in?
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
        cells[RADIUS + BLOCK + t] = blockIdx.x + 1 < gridDim.x ? in[right] : 0;
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
