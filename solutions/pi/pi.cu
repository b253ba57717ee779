/* Compute pi with a map and a reduction. Pi is the integral of 4 / (1 + x*x) for x from 0 to 1.
 *
 * Contract   mapper(dest, n)       dest[id] = 4 / (1 + x*x) with x = id / n, for every id from 0 to n-1, in float.
 *            reducer(dest, i, n)   dest[id] += dest[id + i] for each id that is a multiple of 2*i, if dest[id + i] exists.
 *            dest: n floats on the device. Afterwards pi is dest[0] / n (some tests add up other numbers instead).
 * Launch     mapper once, then reducer for i = 1, 2, 4, 8 ... while i < n. Each launch has blocks of 256 threads and at
 *            least n threads in all. dest stays on the device the whole time.
 * Run        build/lockstep grade pi
 * Read       handouts/pi.md
 *
 * There is a second plan with two launches instead of 21: pi_sum(float *partial, int n), in which each block leaves the sum
 * of its elements in partial[blockIdx.x], then pi_finish(float *partial, int blocks), one block, which leaves the total in
 * partial[0]. If you write these two kernels, they are graded instead of mapper and reducer.
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

extern "C" __global__ void mapper(float *dest, int n)
{
    // Each thread computes one element. Beware: id / n is an integer division unless you say otherwise.
    // --- your code ---
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / (float)n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
    // --- end ---
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    // Step i adds n/(2*i) pairs. First make it right. Then ask: how many lanes of a warp have a pair to add when i = 16?
    // --- your code ---
    // Thread t takes the t-th pair, so the busy threads are neighbours and whole warps leave at once.
    long long id = 2LL * i * (blockIdx.x * blockDim.x + threadIdx.x);
    if (id + i < n) {
        dest[id] += dest[id + i];
    }
    // --- end ---
}
