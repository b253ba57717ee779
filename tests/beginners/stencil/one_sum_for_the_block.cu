// cause: The sum is in shared memory, so the whole block has one sum that all threads overwrite
// first: race_warp one_variable
// says: there is one such variable for the whole block
// asks: How many variables sum are there for a block, and how many threads use it here? Whose value remains?
#define BLOCK 128
#define RADIUS 3

// element k of the array, or 0 where there is none
__device__ int element(const int *in, int k, int n)
{
    return (k < 0 || k >= n) ? 0 : in[k];
}

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    // 1. A tile in shared memory: the block's elements, and 3 more on each side, the halo. Which thread loads what?
    //    What goes into the cells that stand for no element?
    __shared__ int cells[RADIUS + BLOCK + RADIUS];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    int *own = cells + RADIUS + t;
    *own = element(in, i, n);
    if (t < RADIUS)
        own[-RADIUS] = element(in, i - RADIUS, n);
    if (t >= BLOCK - RADIUS)
        own[RADIUS] = element(in, i + RADIUS, n);

    // 2. Each thread needs cells that others fill.
    __syncthreads();

    // 3. Add the seven cells around your own, and store the sum if you have an element.
    __shared__ int sum;
    sum = own[0];
    for (int d = 1; d <= RADIUS; d++)
        sum += own[-d] + own[d];
    if (i < n)
        out[i] = sum;
}
