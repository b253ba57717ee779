// cause: takes the 24 threads without an element of the example off n (line 21), so the last 24 elements are never written
// first: never_written left
// says: The last line that thread (7,0,0) ran, whose element would be c[7], is line 21
// asks: Which condition makes the thread in the message leave, and should it?
/* Lab 02: add two vectors.
 *
 * Contract   a, b and c are arrays of n floats on the device; they do not overlap. Afterwards c[i] = a[i] + b[i] for every
 *            i from 0 to n-1, and a and b are as they were. c holds rubbish before the launch.
 * Launch     one launch, blocks of 256 threads, as many blocks as it takes to have at least n threads.
 * Run        build/lockstep grade vector_add
 * Read       handouts/02_vector_add.md
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    // Each thread computes one element of c. n = 1000 gets 4 blocks of 256: what should the last 24 threads do?
    // --- your code ---
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 24) {      // the last 24 do nothing
        c[i] = a[i] + b[i];
    }
    // --- end ---
}
