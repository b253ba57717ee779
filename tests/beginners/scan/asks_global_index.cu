// cause: the condition asks the global index, but the cell is t - d
// first: out_of_bounds negative
// says: read cells[-1], but cells has 256 elements (0..255)
// asks: The index is below 0. Which part of its formula is negative in this thread?
/* Lab 04: inclusive prefix sum of 32-bit integers: out[i] = in[0] + in[1] + ... + in[i], modulo 2^32.
 *
 * Contract   scan_blocks(in, out, block_sums, n)   scans each block's piece separately: out[i] is the sum from the first
 *                element of i's block up to i. Every block leaves the sum of its piece in block_sums[blockIdx.x].
 *            add_block_sums(out, block_sums, n)    adds block_sums[blockIdx.x - 1] to each element of block blockIdx.x;
 *                block 0 stays as it is.
 *            in, out and block_sums do not overlap; out and block_sums hold rubbish before the launch.
 * Launch     scan_blocks on the array; scan_blocks again on the block sums, into another array (and again as long as they
 *            exceed one block); then add_block_sums, back down the levels. Blocks of 256 threads, one element per thread.
 * Run        build/lockstep grade scan
 * Read       handouts/scan.md
 *
 * There is a second plan with a single pass over the data: scan(const int *in, int *out, unsigned *scratch, int n) and
 * scan_clear(unsigned *scratch, int count), which sets the 4 + 4*blocks words of scratch to zero first. If you write
 * these two kernels, they are graded instead of scan_blocks and add_block_sums.
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    // --- your code ---
    __shared__ int cells[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    cells[t] = 0;
    if (i < n) cells[t] = in[i];
    __syncthreads();

    for (int d = 1; d < BLOCK; d *= 2) {
        int left = 0;
        if (i >= d) left = cells[t - d];
        __syncthreads();
        cells[t] += left;
        __syncthreads();
    }
    // --- end ---

    // --- your code ---
    if (i < n) out[i] = cells[t];
    if (t == BLOCK - 1) block_sums[blockIdx.x] = cells[t];
    // --- end ---
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    // block_sums is scanned by now: block_sums[k] is the sum of blocks 0..k. Block 0 is right already.
    // --- your code ---
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
    // --- end ---
}
