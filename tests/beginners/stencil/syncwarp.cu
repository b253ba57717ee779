// cause: __syncwarp() instead of the barrier: the halo of a warp belongs to other warps
// first: race_shared
// says: line 19 has a `__syncwarp()`, which waits for one warp
// asks: What must every thread of the block have finished before any of them goes on to line 23?
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
    __syncwarp();
    if (i < n) {
        int sum = 0;
        for (int k = 0; k <= 2 * RADIUS; k++) {
            sum += cells[t + k];
        }
        out[i] = sum;
    }
}
