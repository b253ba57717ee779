// cause: stores the sum in the loop: an empty row never gets there
// first: never_written left
// says: The last line that thread
// asks: Which row has no result? How many entries does it have, and does its thread reach the store?
extern "C" __global__ void __launch_bounds__(256)
    spmv(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0;
    for (int k = starts[row]; k < starts[row + 1]; k++) {
        sum += values[k] * x[columns[k]];
        y[row] = sum;
    }
}
