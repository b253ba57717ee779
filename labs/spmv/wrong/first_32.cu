// expect: wrong_value tail - one entry for each lane: the rest of a long row is left out
extern "C" __global__ void __launch_bounds__(256)
    spmv(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    int k = starts[row] + lane;
    float sum = k < starts[row + 1] ? values[k] * x[columns[k]] : 0;
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (lane == 0)
        y[row] = sum;
}
