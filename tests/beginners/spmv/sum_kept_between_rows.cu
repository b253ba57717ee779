// cause: the sum is never reset between the rows of a warp
// first: wrong_value not_reset
// says: is left in the sum from row 0
// asks: What is in the sum when a row begins?
/* y = A x. Starting a warp for one short row is a waste, so each warp has 4 rows, one after the other. */
#define ROWS_PER_WARP 4
#define BLOCK 256
#define ALL_LANES 0xffffffffu

extern "C" __global__ void __launch_bounds__(BLOCK)
    spmv(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    int warp = (blockIdx.x * BLOCK + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    float sum = 0;

    for (int i = 0; i < ROWS_PER_WARP; i++) {
        int row = warp * ROWS_PER_WARP + i;
        if (row >= rows)
            break;    // all lanes together
        for (int k = starts[row] + lane; k < starts[row + 1]; k += 32)
            sum += values[k] * x[columns[k]];
        for (int distance = 16; distance > 0; distance /= 2)
            sum += __shfl_down_sync(ALL_LANES, sum, distance);
        if (lane == 0)
            y[row] = sum;
    }
}
