// expect: out_of_bounds|uninitialized - adds to y[columns[k]]: that is the product with the transposed matrix
extern "C" __global__ void __launch_bounds__(256)
    spmv(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    for (int k = starts[row]; k < starts[row + 1]; k++)
        y[columns[k]] += values[k] * x[row];
}
