/* Transpose a matrix: rows become columns.
 *
 * Contract   in has `rows` rows of `columns` floats, out has `columns` rows of `rows` floats, both stored row by row.
 *            Afterwards out[column*rows + row] is in[row*columns + column], for every row and column of in.
 *            rows and columns are any numbers from 1 up. in and out do not overlap; out starts as rubbish.
 * Launch     one launch, blocks of 32 x 32 threads, x along the columns of in, y along its rows, enough blocks to cover in.
 * Run        build/lockstep grade transpose
 * Read       handouts/transpose.md
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

#define TILE 32

extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    // Find your row and column of in. Step 1: store the element in out from here; the second part can stay empty.
    // Step 2: put it into a tile in shared memory instead.
    // --- your code ---
    // --- end ---

    // Step 2: take an element out of the tile, one that your neighbours in the warp follow in a row of out, and store it.
    // Step 3: the lanes of a warp now read a column of the tile. In which banks does it lie?
    // --- your code ---
    // --- end ---
}
