// expect: at most 70 - no tile: the stores of a warp lie in a column
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && column < columns)
        out[column * rows + row] = in[row * columns + column];
}
