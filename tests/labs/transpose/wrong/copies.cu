// expect: wrong_value - copies instead of transposing
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && column < columns)
        out[row * columns + column] = in[row * columns + column];
}
