// expect: uninitialized output - adds to y, which nobody has set to 0
extern "C" __global__ void __launch_bounds__(256)
    spmv(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    for (int k = starts[row]; k < starts[row + 1]; k++)
        y[row] += values[k] * x[columns[k]];
}
