// cause: Does not compile: line 22 declares a new array c of i elements (not a constant size, and not initializable by a sum) instead of storing into c[i].
// first: compile element
// says: A type before c[...] declares a new array, which has nothing to do with the parameter c.
// asks:
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
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float c[i] = a[i] + b[i];
    }
    // --- end ---
}
