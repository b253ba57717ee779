// Eight lanes for each row, four rows for each warp.
extern "C" __constant__ int spmv_items = 32 * 32;    // rows of a block x 32

extern "C" __global__ void __launch_bounds__(256)
    spmv(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    int row = (blockIdx.x * 256 + threadIdx.x) / 8, lane = threadIdx.x % 8;
    float sum = 0;
    if (row < rows)
        for (int k = starts[row] + lane; k < starts[row + 1]; k += 8)
            sum += values[k] * x[columns[k]];
    for (int d = 4; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (row < rows && lane == 0)
        y[row] = sum;
}
