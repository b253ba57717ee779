// cause: the row of a thread, the lanes of a warp
// first: wrong_value own_total
// says: elements are wrong. Every result is made of every
// asks: Whose entries are in the result, and whose are not?
extern "C" __global__ void __launch_bounds__(256)
    spmv(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float sum = 0;
    for (int k = starts[row] + lane; k < starts[row + 1]; k += 32)
        sum += values[k] * x[columns[k]];
    y[row] = sum;
}
