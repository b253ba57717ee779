// A warp has several rows, one after the other.
extern "C" __constant__ int spmv_items = 4 * 256;    // 32 rows per block

extern "C" __global__ void __launch_bounds__(256)
    spmv(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    int first = (blockIdx.x * 8 + threadIdx.x / 32) * 4, lane = threadIdx.x % 32;
    for (int row = first; row < min(first + 4, rows); row++) {
        float sum = 0;
        for (int k = starts[row] + lane; k < starts[row + 1]; k += 32)
            sum += values[k] * x[columns[k]];
        for (int d = 16; d > 0; d /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, d);
        if (lane == 0)
            y[row] = sum;
    }
}
