// cause: without braces the return belongs to no if
// first: never_written unreachable
// says: a holds what it held before the launch: no element changed. Line 23 stores into a, but no thread can come to
// asks: Line 20 first: Which statements should this if, else or loop be for, and which ones is it for?
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
    // --- your code ---
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        printf("thread %d has no element\n", i);
        return;
    a[i] = 2.0f * a[i];
    // --- end ---
}
