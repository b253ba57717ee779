/* Scale and add: y = a * x + y.
 *
 * Contract   x and y are arrays of n floats on the device; they do not overlap. Afterwards y[i] is a * x[i] + y[i], with the
 *            old y[i] on the right, for every i from 0 to n-1, and x is as it was. n is at least 1.
 * Launch     one launch, blocks of 256 threads. How many blocks there are does not depend on n: there may be far fewer
 *            threads than elements, or more.
 * Run        build/lockstep grade saxpy
 * Read       handouts/saxpy.md
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    // 512 threads, 4097 elements: which elements belong to thread 0, and which to thread 511?
    // --- your code ---
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        y[i] = a * x[i] + y[i];
    }
    // --- end ---
}
