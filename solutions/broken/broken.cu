/* Four broken kernels. Each is right but for one mistake. Find it, by what the grader says, and repair it.
 *
 * Contract   tripled(in, out, n)        out[i] = 3 * in[i].
 *            mirrored(in, out, n)       out[i] = in[i] + the element in the mirror: thread t of a block adds the element of
 *                                       thread 255 - t, or 0 where that thread has no element.
 *            differences(in, out, n)    out[i] = in[i] - the element before it; in the first thread of a block in[i] itself.
 *            positives(in, counts, n)   counts[blockIdx.x] = how many elements of the block are above 0.
 *            in has n integers on the device and stays as it is. The results hold rubbish before the launch.
 * Launch     one launch for each kernel, blocks of 256 threads, as many blocks as it takes to have at least n threads.
 * Run        build/lockstep grade broken
 * Read       handouts/broken.md
 *
 * Add lines between the marks, where they are needed. Most marks stay empty. Everything else can stay as it is.
 */

#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) tripled(const int *in, int *out, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    // --- your code ---
    if (i < n)
    // --- end ---
    out[i] = 3 * in[i];
    // --- your code ---
    // --- end ---
}

extern "C" __global__ void __launch_bounds__(BLOCK) mirrored(const int *in, int *out, int n)
{
    __shared__ int cells[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    // --- your code ---
    // --- end ---
    cells[t] = i < n ? in[i] : 0;
    // --- your code ---
    __syncthreads();
    // --- end ---
    int sum = cells[t] + cells[BLOCK - 1 - t];
    // --- your code ---
    // --- end ---
    if (i < n)
        out[i] = sum;
}

extern "C" __global__ void __launch_bounds__(BLOCK) differences(const int *in, int *out, int n)
{
    __shared__ int cells[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    // --- your code ---
    // --- end ---
    if (i < n) {
        cells[t] = in[i];
        // --- your code ---
    }
        // --- end ---
        __syncthreads();
        // --- your code ---
    if (i < n) {
        // --- end ---
        int before = t > 0 ? cells[t - 1] : 0;
        out[i] = cells[t] - before;
    }
    // --- your code ---
    // --- end ---
}

extern "C" __global__ void __launch_bounds__(BLOCK) positives(const int *in, int *counts, int n)
{
    __shared__ int count;
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    // --- your code ---
    if (t == 0)
        count = 0;
    __syncthreads();
    // --- end ---
    if (i < n && in[i] > 0)
        atomicAdd(&count, 1);
    // --- your code ---
    // --- end ---
    __syncthreads();
    if (t == 0)
        counts[blockIdx.x] = count;
    // --- your code ---
    // --- end ---
}
