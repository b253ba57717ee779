// cause: blockIdx and threadIdx have changed places in the formula (line 20: blockIdx.x + blockDim.x * threadIdx.x), so with few blocks most elements have no thread
// first: never_written elsewhere
// says: From one thread to the next, the index of line 22 grows by 256
// asks: Which elements should line 22 store, and which does it store?
/* Lab 01: double every element of an array, in place.
 *
 * Contract   a is an array of n floats on the device. Afterwards a[i] is twice what it was, for every i from 0 to n-1.
 *            n is any number from 1 up; it is rarely a multiple of the block size.
 * Launch     one launch, blocks of 256 threads, as many blocks as it takes to have at least n threads.
 * Run        build/lockstep grade doublify
 * Read       handouts/01_doublify.md
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

extern "C" __global__ void doublify(float *a, int n)
{
    // Each thread doubles one element. Which one is yours? Which threads have nothing to do?
    // --- your code ---
    int idx = blockIdx.x + blockDim.x * threadIdx.x;
    if (idx < n)
        a[idx] = 2.0f * a[idx];
    // --- end ---
}
