// cause: takes starts[row + 1] for the length of the row
// first: out_of_bounds loop
// says: ], but columns has
// asks: If it is: which entries does the row have, first and last, and where does the loop end?
extern "C" __global__ void __launch_bounds__(256)
    spmv(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0;
    for (int k = starts[row]; k < starts[row] + starts[row + 1]; k++)
        sum += values[k] * x[columns[k]];
    y[row] = sum;
}
