// expect: out_of_bounds|never_written|race_global line=6 - the rows of out are as long as in has rows, not columns
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && column < columns)
        out[column * columns + row] = in[row * columns + column];
}
