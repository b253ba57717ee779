// cause: a shared pointer is declared, but no memory for it to point to, so the cells lie at an arbitrary address
// first: null_pointer unset
// says: cells is a pointer (line 28) that is never set, so it points to nothing: the compiler put a trap where it is
// asks: What does cells point to, and which line says so?
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
  __shared__ int *cells;
  int tid = threadIdx.x;
  int i = blockIdx.x * BLOCK + tid;
  cells[tid] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < BLOCK; d *= 2) {
    int left = tid >= d ? cells[tid - d] : 0;
    __syncthreads();
    cells[tid] += left;
    __syncthreads();
  }
  if (i < n) out[i] = cells[tid];
  if (tid == BLOCK - 1) block_sums[blockIdx.x] = cells[tid];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
  if (blockIdx.x == 0) return;
  int before = block_sums[blockIdx.x - 1];
  int idx = threadIdx.x + BLOCK * blockIdx.x;
  if (idx >= n) return;
  out[idx] = out[idx] + before;
}
