// cause: a barrier in the loop over the entries
// first: sync_mask
// says: which waits at line
// asks: Which lanes does the mask name, and which of them arrive?
extern "C" __global__ void __launch_bounds__(256)
    spmv(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    __shared__ float cells[256];
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float sum = 0;
    for (int k = starts[row] + lane; k < starts[row + 1]; k += 32) {
        cells[threadIdx.x] = values[k] * x[columns[k]];
        __syncthreads();
        sum += cells[threadIdx.x];
    }
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (lane == 0)
        y[row] = sum;
}
