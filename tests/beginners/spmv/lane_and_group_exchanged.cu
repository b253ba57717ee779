// cause: % and / are exchanged, so the lanes of a warp have different rows
// first: wrong_value rows_of_a_warp
// says: shuffles among lanes that have different rows
// asks: Which threads must have row 0?
#define BLOCK 256
#define ALL_LANES 0xffffffffu

extern "C" __global__ void __launch_bounds__(BLOCK)
    spmv(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    // 256 threads are 8 groups of 32, a group for each row
    int group = threadIdx.x % 8;
    int lane = threadIdx.x / 8;
    int row = blockIdx.x * 8 + group;

    float sum = 0.0f;
    if (row < rows) {
        int end = starts[row + 1];
        for (int k = starts[row] + lane; k < end; k += 32) {
            sum += values[k] * x[columns[k]];
        }
    }

    // all lanes take part here
    for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_down_sync(ALL_LANES, sum, distance);
    }
    if (lane == 0 && row < rows) {
        y[row] = sum;
    }
}
