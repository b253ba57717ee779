/* Exercise: barriers. Double every element of an array; each thread stores what its mirror image in the block has loaded.
 *
 * Contract   as in the lab doublify: afterwards a[i] is twice what it was, for i from 0 to n-1. Blocks of 256 threads.
 * Run        build/lockstep run handouts/exercises/mirrored.cu --lab doublify --n 8
 * Read       handouts/barriers.md
 */

extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float cells[256];
    int first = blockIdx.x * blockDim.x;              // the block's first element
    int own = threadIdx.x;                            // the cell that this thread fills
    int other = blockDim.x - 1 - threadIdx.x;         // the cell that it reads
    if (first + own < n)
        cells[own] = a[first + own];
    // Store twice cells[other] where it belongs. What has to come before that, and which threads take part in it?
    // --- your code ---
    // --- end ---
}
