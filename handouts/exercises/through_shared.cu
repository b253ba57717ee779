/* Exercise: shared memory. Double every element of an array, by way of shared memory.
 *
 * Contract   as in the lab doublify: afterwards a[i] is twice what it was, for i from 0 to n-1. Blocks of 256 threads.
 * Run        build/lockstep run handouts/exercises/through_shared.cu --lab doublify --n 8
 * Read       handouts/shared_memory.md
 */

extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float cells[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // Each thread loads its element into a cell of its own, doubles it there, and stores it. Which index has the cell?
    // --- your code ---
    // --- end ---
}
