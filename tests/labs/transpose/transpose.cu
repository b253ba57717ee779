/* Transpose a matrix.
 *
 * Contract   in has `rows` rows of `columns` floats, out has `columns` rows of `rows` floats, both row by row on the device.
 *            Afterwards out[column][row] is in[row][column].
 * Launch     one launch, blocks of 32 x 32 threads, x along the columns of in.
 * Read       handout.md in this file's folder
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    // Neighbouring threads should read neighbours, and write neighbours.
    // --- your code ---
    // --- end ---
}
