/* Softmax of each row of a matrix.
 *
 * Contract   in and out are matrices of rows x columns floats on the device, stored row by row; they do not overlap.
 *            Afterwards out[r][c] = e^in[r][c] / (e^in[r][0] + ... + e^in[r][columns-1]) for every element, and in is as it
 *            was. A number of a row may be -infinity, whose result is 0, but never all of them. out holds rubbish before the
 *            launch.
 * Launch     one launch, a block for each row, blocks of 256 threads.
 * Run        build/lockstep grade softmax
 * Read       handouts/softmax.md
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

#include <float.h>    // FLT_MAX, the largest float
#include <math.h>     // INFINITY

#define BLOCK 256

// Helper functions, if you want any.
// --- your code ---
// Joins maximum m and sum s with those of other numbers. A sum that belongs to a smaller maximum becomes smaller.
__device__ void join(float &m, float &s, float other_m, float other_s)
{
    float larger = fmaxf(m, other_m);
    s = s * expf(m - larger) + other_s * expf(other_m - larger);
    m = larger;
}
// --- end ---

extern "C" __global__ void __launch_bounds__(BLOCK) softmax(const float *in, float *out, int rows, int columns)
{
    // Where does this block's row begin, in `in` and in `out`? All 256 threads must reach every barrier, however short the
    // row is.
    // --- your code ---
    const float *numbers = in + (size_t)blockIdx.x * columns;
    float *results = out + (size_t)blockIdx.x * columns;
    // --- end ---

    // Each thread looks at every 256th number of the row. It keeps the largest one so far, and the sum of e^(x - largest).
    // What has to happen to that sum when a larger number comes?
    // --- your code ---
    // Not -INFINITY: -infinity minus -infinity is NaN.
    float maximum = -FLT_MAX, sum = 0;
    for (int c = threadIdx.x; c < columns; c += BLOCK) {
        join(maximum, sum, numbers[c], 1);
    }
    // --- end ---

    // The threads put together what they have found: the maximum of the row, and the sum of e^(x - maximum).
    // --- your code ---
    __shared__ float maxima[BLOCK], sums[BLOCK];
    maxima[threadIdx.x] = maximum;
    sums[threadIdx.x] = sum;
    __syncthreads();    // every thread has stored what it has found
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            join(maxima[threadIdx.x], sums[threadIdx.x], maxima[threadIdx.x + half], sums[threadIdx.x + half]);
        }
        __syncthreads();    // this step is complete
    }
    // --- end ---

    // Each thread writes its results.
    // --- your code ---
    for (int c = threadIdx.x; c < columns; c += BLOCK) {
        results[c] = expf(numbers[c] - maxima[0]) / sums[0];
    }
    // --- end ---
}
