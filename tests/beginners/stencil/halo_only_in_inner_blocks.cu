// cause: the halo is loaded only where a block has neighbours; in the first and last block its cells are left as they are
// first: uninitialized shared
// says: In this block, only the cells 3 to 258 of cells get a first value
// asks: Which cells of cells did no thread of the block fill?
#define BLOCK 256
#define RADIUS 3

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    __shared__ int cells[RADIUS + BLOCK + RADIUS];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    cells[RADIUS + t] = i < n ? in[i] : 0;
    if (t < RADIUS && blockIdx.x > 0)
        cells[t] = in[i - RADIUS];
    if (t < RADIUS && blockIdx.x < gridDim.x - 1)
        cells[RADIUS + BLOCK + t] = i + BLOCK < n ? in[i + BLOCK] : 0;
    __syncthreads();
    if (i < n) {
        int sum = 0;
        for (int k = 0; k <= 2 * RADIUS; k++) {
            sum += cells[t + k];
        }
        out[i] = sum;
    }
}
