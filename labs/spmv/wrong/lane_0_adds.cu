// expect: budget issued_lane_slots - right, but lane 0 alone adds up what 32 lanes have found
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
    __syncwarp();
    if (lane == 0) {
        for (int i = 1; i < 32; i++)
            sum += cells[threadIdx.x + i];
        y[row] = sum;
    }
}
