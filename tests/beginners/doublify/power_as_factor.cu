// cause: 2^1 is an exclusive or, which is 3
// first: wrong_value scaled
// says: a[0] contains 3 x a[0], where it should contain 2 x a[0].
// asks: What does the operator in this line mean in C?
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
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i] *= 2^1;
    }
    // --- end ---
}
