// cause: The barrier is in the loading loop, which threads 0 to 5 run twice and all others once, so not all threads are at the same barrier
// first: barrier_divergent loop
// says: Line 18 is in the loop of line 15: each turn needs every thread.
// asks: How many turns of the loop does the first thread in the message make, and how many the others?
#define BLOCK 256
#define RADIUS 3
#define TILE (BLOCK + 2 * RADIUS)

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    // 1. A tile in shared memory: the block's 256 elements, and 3 more on each side, the halo. Which thread loads what?
    //    What goes into the cells that stand for no element?
    __shared__ int cells[TILE];
    const int first = (int)(blockIdx.x * BLOCK) - RADIUS;    // the element of cell 0
    for (int c = threadIdx.x; c < TILE; c += BLOCK) {
        int k = first + c;
        cells[c] = (k >= 0 && k < n) ? in[k] : 0;
        __syncthreads();
    }

    // 2. Each thread needs cells that others fill.

    // 3. Add the seven cells around your own, and store the sum if you have an element.
    int sum = 0;
    for (int c = threadIdx.x; c <= threadIdx.x + 2 * RADIUS; c++)
        sum += cells[c];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        out[i] = sum;
}
