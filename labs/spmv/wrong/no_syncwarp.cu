// expect: race_warp - reads the cells of the other lanes, and nothing makes it wait for them
extern "C" __global__ void __launch_bounds__(256)
    spmv(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    __shared__ float cells[256];
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float sum = 0;
    for (int k = starts[row] + lane; k < starts[row + 1]; k += 32)
        sum += values[k] * x[columns[k]];
    cells[threadIdx.x] = sum;
    if (lane < 16) {
        for (int d = 16; d > 0; d /= 2)
            cells[threadIdx.x] += cells[threadIdx.x + d];
    }
    if (lane == 0)
        y[row] = cells[threadIdx.x];
}
