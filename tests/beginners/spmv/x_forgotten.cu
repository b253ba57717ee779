// cause: adds the values up, without x
// first: wrong_value formula
// says: elements are wrong. Every result is made of values[k] added up: nothing is multiplied by x.
// asks: Which three numbers does an entry have: where is its value, where is its column, and which element of x belongs to it?
extern "C" __global__ void __launch_bounds__(256)
    spmv(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0;
    for (int k = starts[row]; k < starts[row + 1]; k++)
        sum += values[k];
    y[row] = sum;
}
