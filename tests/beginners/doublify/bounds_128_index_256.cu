// cause: Line 7 asks for blocks of 128 threads but line 9 counts 256 per block, so elements 128..255 of each 256 are never written (n = 255 and larger).
// first: never_written not_reached
// says: From one block to the next, the index of line 11 grows by 256.
// asks: What sends the thread in the message past the store
#define TPB 256

extern "C" __global__ void __launch_bounds__(128) doublify(float *a, int n)
{
    int gid = blockIdx.x * TPB + threadIdx.x;
    if (gid >= n) return;
    a[gid] *= 2.f;
}
