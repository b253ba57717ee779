// cause: stores at the number of the warp in the block
// first: race_global no_block
// says: ); blockIdx is not in the index, so every block uses the same elements
// asks: Thread 0 of block 0 and thread 0 of block 1: which elements of y do they use?
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
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (lane == 0)
        y[threadIdx.x / 32] = sum;
}
