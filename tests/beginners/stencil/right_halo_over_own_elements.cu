// cause: The right halo goes to cells 256 to 258, which are those of the last three elements of the block, and cells 259 to 261 stay unset
// first: uninitialized stored_cells
// says: line 36, cells 256 to 258. No other cell of cells is filled.
// asks: Which cells of cells should these lines fill, and which do they fill?
#define BLOCK 256
#define RADIUS 3

template <int R>
__device__ int window(const int *c)
{
    int s = 0;
#pragma unroll
    for (int k = 0; k <= 2 * R; k++)
        s += c[k];
    return s;
}

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    // 1. A tile in shared memory: the block's 256 elements, and 3 more on each side, the halo. Which thread loads what?
    //    What goes into the cells that stand for no element?
    __shared__ int cells[BLOCK + 2 * RADIUS];
    const int t = threadIdx.x;
    const int i = blockIdx.x * BLOCK + t;
    const int lane = t % 32, warp = t / 32;
    int mine = 0;
    if (i < n)
        mine = in[i];
    cells[RADIUS + t] = mine;
    if (lane < RADIUS) {
        if (warp == 0) {                                    // left halo
            int left = i - RADIUS;
            cells[lane] = left < 0 ? 0 : in[left];
        } else if (warp == 1) {                             // right halo
            int right = (blockIdx.x + 1) * BLOCK + lane;
            cells[BLOCK + lane] = right < n ? in[right] : 0;
        }
    }

    // 2. Each thread needs cells that others fill.
    __syncthreads();

    // 3. Add the seven cells around your own, and store the sum if you have an element.
    if (i < n)
        out[i] = window<RADIUS>(&cells[t]);
}
