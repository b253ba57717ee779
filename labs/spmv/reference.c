/* spmv on the CPU. */
void spmv(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    for (int row = 0; row < rows; row++) {
        float sum = 0;
        for (int k = starts[row]; k < starts[row + 1]; k++)
            sum += values[k] * x[columns[k]];
        y[row] = sum;
    }
}
