/* Sparse matrix times vector.
 *
 * Contract   The matrix has `rows` rows; only some of its elements are stored, its entries, row after row. Entry k has the
 *            value values[k] and is in column columns[k]. The entries of row r are entries starts[r] to starts[r + 1] - 1;
 *            a row may have none. Afterwards y[r] is the sum of values[k] * x[columns[k]] over the entries of row r, for
 *            all r below rows. y holds rubbish before the launch; everything else stays as it is.
 * Launch     one launch, blocks of 256 threads, as many blocks as it takes to have at least 32 threads for each row.
 * Run        build/lockstep grade spmv
 * Read       handouts/spmv.md
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

#define BLOCK 256
#define ALL_LANES 0xffffffffu

extern "C" __global__ void __launch_bounds__(BLOCK)
    spmv(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    // The first step: a thread for each row. Which row is it, and which threads have none? (For the second step: which row
    // is this warp's, and which of its 32 lanes is this thread?)
    // --- your code ---
    int row = (blockIdx.x * BLOCK + threadIdx.x) / 32, lane = threadIdx.x % 32;
    // All lanes of a warp have the same row: none of them is missing at the shuffles.
    if (row >= rows) {
        return;
    }
    // --- end ---

    // Walk over the entries of the row. (The second step: neighbouring lanes take neighbouring entries.)
    // --- your code ---
    float sum = 0;
    for (int k = starts[row] + lane; k < starts[row + 1]; k += 32) {
        sum += values[k] * x[columns[k]];
    }
    // --- end ---

    // Store the row's sum. (The second step: every lane has a part of it, and each row is stored once.)
    // --- your code ---
    for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_down_sync(ALL_LANES, sum, distance);
    }
    if (lane == 0) {
        y[row] = sum;    // an empty row gets 0
    }
    // --- end ---
}
