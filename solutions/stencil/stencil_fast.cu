/* Sum over a window, as fast as memory allows: four elements per thread.
 *
 * An access takes 16 bytes, in global memory and in the tile. A thread keeps its own four elements and reads the four on
 * each side from the tile, of which it needs three: two loads from shared memory for four sums, where the plain solution has
 * twenty-eight. The window then moves: one element in, one out.
 */
#define BLOCK 256
#define EACH 4
#define PIECE (BLOCK * EACH)

extern "C" __constant__ int stencil_items = PIECE;

// Elements i to i + 3, zeros where there are none.
__device__ int4 load_four(const int *__restrict__ in, int i, int n)
{
    if (i >= 0 && i + 3 < n)
        return *reinterpret_cast<const int4 *>(in + i);
    int4 four = {0, 0, 0, 0};
    if (i >= 0 && i < n)
        four.x = in[i];
    if (i >= 0 && i + 1 < n)
        four.y = in[i + 1];
    if (i >= 0 && i + 2 < n)
        four.z = in[i + 2];
    return four;
}

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *__restrict__ in, int *__restrict__ out, int n)
{
    __shared__ int4 cells[1 + BLOCK + 1];
    int t = threadIdx.x;
    int i = blockIdx.x * PIECE + t * EACH;
    int4 own = load_four(in, i, n);
    cells[1 + t] = own;
    if (t == 0)
        cells[0] = load_four(in, i - EACH, n);
    if (t == BLOCK - 1)
        cells[1 + BLOCK] = load_four(in, i + EACH, n);
    __syncthreads();

    int4 left = cells[t], right = cells[t + 2], sums;
    sums.x = left.y + left.z + left.w + own.x + own.y + own.z + own.w;
    sums.y = sums.x - left.y + right.x;
    sums.z = sums.y - left.z + right.y;
    sums.w = sums.z - left.w + right.z;
    if (i + 3 < n) {
        *reinterpret_cast<int4 *>(out + i) = sums;
    } else {
        if (i < n)
            out[i] = sums.x;
        if (i + 1 < n)
            out[i + 1] = sums.y;
        if (i + 2 < n)
            out[i + 2] = sums.z;
    }
}
