// cause: The right halo asks whether element i exists but loads element i + 3, which may lie behind the end
// first: out_of_bounds guarded
// says: Line 26 asks i < n: 253 < 255 is true.
// asks: A condition precedes this access, and it let this thread through. Does it ask about the very index that is used, and about the length of in?
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
        own[RADIUS] = i < n ? in[i + RADIUS] : 0;

    // 2. Each thread needs cells that others fill.
    __syncthreads();

    // 3. Add the seven cells around your own, and store the sum if you have an element.
    int sum = own[0];
    for (int d = 1; d <= RADIUS; d++)
        sum += own[-d] + own[d];
    if (i < n)
        out[i] = sum;
}
