/* Reverse an array.
 *
 * Contract   in and out are arrays of n integers on the device. Afterwards out[i] is in[n - 1 - i], for all i below n.
 * Launch     one launch, blocks of 256 threads, as many blocks as it takes to have at least n threads.
 * Read       handout.md in this file's folder
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

extern "C" __global__ void reverse(const int *in, int *out, int n)
{
    // Each thread moves one element. Where does it come from?
    // --- your code ---
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[n - 1 - i];
    }
    // --- end ---
}
