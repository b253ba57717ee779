// expect: wrong_value|out_of_bounds|never_written - the rows of out are as long as in has rows, not columns
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && column < columns)
        out[column * columns + row] = in[row * columns + column];
}
