// cause: volatile makes no thread wait
// first: race_volatile step
// says: no barrier separates the reads and the writes of the steps
// asks: In one step, which thread writes the cell that this thread reads?
/* Lab 04: inclusive prefix sum of 32-bit integers: out[i] = in[0] + in[1] + ... + in[i], modulo 2^32.
 *
 * Contract   scan_blocks(in, out, block_sums, n)   scans each block's piece separately: out[i] is the sum from the first
 *                element of i's block up to i. Every block leaves the sum of its piece in block_sums[blockIdx.x].
 *            add_block_sums(out, block_sums, n)    adds block_sums[blockIdx.x - 1] to each element of block blockIdx.x;
 *                block 0 stays as it is.
 *            in, out and block_sums do not overlap; out and block_sums hold rubbish before the launch.
 * Launch     scan_blocks on the array; scan_blocks again on the block sums, into another array (and again as long as they
 *            exceed one block); then add_block_sums with the scanned sums. Blocks of 256 threads, one element per thread.
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
    volatile __shared__ int s[BLOCK]; // always reads memory
    int t = threadIdx.x;
    int gid = blockIdx.x * BLOCK + t;
    s[t] = gid < n ? in[gid] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        int left = t >= d ? s[t - d] : 0;
        s[t] = s[t] + left;
    }
    __syncthreads();
    if (gid < n) out[gid] = s[t];
    if (t == BLOCK - 1) block_sums[blockIdx.x] = s[t];
}

// every block but the first one needs the total of all blocks before it
extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    const int pos = blockIdx.x * BLOCK + threadIdx.x;
    int offset = 0;
    if (blockIdx.x != 0)
        offset = block_sums[blockIdx.x - 1];
    if (pos < n)
        out[pos] += offset;
}
