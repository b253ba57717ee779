/* Lab 07: reverse an array.
 *
 * Contract   in and out are arrays of n integers on the device. Afterwards out[i] is in[n - 1 - i], for all i below n.
 * Launch     one launch, blocks of 256 threads, as many blocks as it takes to have at least n threads.
 * Run        build/lockstep grade labs/07_reverse/reverse.cu
 * Read       handouts/07_reverse.md
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

extern "C" __global__ void reverse(const int *in, int *out, int n)
{
    // Each thread moves one element. Where does it come from?
    // --- your code ---
    // --- end ---
}
