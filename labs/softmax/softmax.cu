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
// --- end ---

extern "C" __global__ void __launch_bounds__(BLOCK) softmax(const float *in, float *out, int rows, int columns)
{
    // Where does this block's row begin, in `in` and in `out`? All 256 threads must reach every barrier, however short the
    // row is.
    // --- your code ---
    // --- end ---

    // Each thread looks at every 256th number of the row. It keeps the largest one so far, and the sum of e^(x - largest).
    // What has to happen to that sum when a larger number comes?
    // --- your code ---
    // --- end ---

    // The threads put together what they have found: the maximum of the row, and the sum of e^(x - maximum).
    // --- your code ---
    // --- end ---

    // Each thread writes its results.
    // --- your code ---
    // --- end ---
}
