// A tree in shared memory for each warp.
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
    for (int d = 16; d > 0; d /= 2) {
        if (lane < d)
            cells[threadIdx.x] += cells[threadIdx.x + d];
        __syncwarp();
    }
    if (lane == 0)
        y[row] = cells[threadIdx.x];
}
