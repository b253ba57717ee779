// cause: adds with atomicAdd, which takes subnormal numbers for 0
// first: wrong_value special
// says: elements without a special input or result are all right.
// asks: What does the kernel make of such a number?
/* Lab 01: double every element of an array, in place.
 *
 * Contract   a is an array of n floats on the device. Afterwards a[i] is twice what it was, for every i from 0 to n-1.
 *            n is any number from 1 up; it is rarely a multiple of the block size.
 * Launch     one launch, blocks of 256 threads, as many blocks as it takes to have at least n threads.
 * Run        build/lockstep grade doublify
 * Read       handouts/doublify.md
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

extern "C" __global__ void doublify(float *a, int n)
{
    // Each thread doubles one element. Which one is yours? Which threads have nothing to do?
    // --- your code ---
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&a[i], a[i]);   // safe if two threads come at the same time
    }
    // --- end ---
}
