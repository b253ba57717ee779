// cause: __shfl_up_sync for __shfl_down_sync
// first: wrong_value own_lane
// says: has added up: at each of five shuffles it adds its own sum once more.
// asks: From which side does a shuffle bring another lane's sum to lane 0?
extern "C" __global__ void __launch_bounds__(256)
    spmv(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float sum = 0;
    for (int k = starts[row] + lane; k < starts[row + 1]; k += 32)
        sum += values[k] * x[columns[k]];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_up_sync(0xffffffffu, sum, d);
    if (lane == 0)
        y[row] = sum;
}
