// cause: Does not compile: the size of a shared array must be a constant, blockDim.x is known only at the launch
// first: compile size
// says: The size of an array must be known when the file is compiled: a number, a #define or a constexpr. Parameters and blockDim are known only at the launch. Shared memory usually has the size of the block.
// asks:
#define BLOCK 256
#define RADIUS 3
#define CELLS (BLOCK + 2 * RADIUS)

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    // 1. A tile in shared memory: the block's 256 elements, and 3 more on each side, the halo. Which thread loads what?
    //    What goes into the cells that stand for no element?
    __shared__ int cells[blockDim.x + 2 * RADIUS];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;

    // clear the tile, then fill in what exists
    for (int c = t; c < CELLS; c += BLOCK)
        cells[c] = 0;
    __syncthreads();
    if (i < n)
        cells[t + RADIUS] = in[i];
    if (t < 2 * RADIUS) {
        int cell = t < RADIUS ? t : BLOCK + t;
        int k = (int)(blockIdx.x * BLOCK) + cell - RADIUS;
        if (k >= 0 && k < n)
            cells[cell] = in[k];
    }

    // 2. Each thread needs cells that others fill.
    __syncthreads();

    // 3. Add the seven cells around your own, and store the sum if you have an element.
    if (i < n) {
        int sum = 0;
        for (int d = -RADIUS; d <= RADIUS; d++)
            sum += cells[t + RADIUS + d];
        out[i] = sum;
    }
}
