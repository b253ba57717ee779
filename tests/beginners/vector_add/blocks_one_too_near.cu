// cause: Line 21: the blocks begin 255 instead of 256 elements apart, so neighbouring blocks share an element and the grid ends too early: with n = 100003 and 2^24 + 11 the last elements are never written.
// first: never_written overlap
// says: In block (389,0,0), line 23 stores c[99195..99450]. Thread (122,0,0) of it stores c[99317].
// asks: What is the index of line 23 made of, and which value has each part in the thread of the message?
/* Lab 02: add two vectors.
 *
 * Contract   a, b and c are arrays of n floats on the device; they do not overlap. Afterwards c[i] = a[i] + b[i] for every
 *            i from 0 to n-1, and a and b are as they were. c holds rubbish before the launch.
 * Launch     one launch, blocks of 256 threads, as many blocks as it takes to have at least n threads.
 * Run        build/lockstep grade vector_add
 * Read       handouts/vector_add.md
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    // Each thread computes one element of c. n = 1000 gets 4 blocks of 256: what should the last 24 threads do?
    // --- your code ---
    // the threads of a block are numbered 0 .. blockDim.x - 1
    int i = blockIdx.x * (blockDim.x - 1) + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
    // --- end ---
}
