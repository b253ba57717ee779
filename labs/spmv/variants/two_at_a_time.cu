// Two entries of a lane under way at once.
extern "C" __global__ void __launch_bounds__(256)
    spmv(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float sum = 0, other = 0;
    int k = starts[row] + lane, end = starts[row + 1];
    for (; k + 32 < end; k += 64) {
        sum += values[k] * x[columns[k]];
        other += values[k + 32] * x[columns[k + 32]];
    }
    if (k < end)
        sum += values[k] * x[columns[k]];
    sum += other;
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (lane == 0)
        y[row] = sum;
}
