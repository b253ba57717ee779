/* The kernel's work on the CPU. */
void transpose(const float *in, float *out, int rows, int columns)
{
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++)
            out[column * rows + row] = in[row * columns + column];
}
