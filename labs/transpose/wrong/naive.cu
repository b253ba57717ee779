// expect: budget global_sectors - right, but neighbouring threads write into different rows of out
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && column < columns)
        out[column * rows + row] = in[row * columns + column];
}
