// expect: budget shared_wavefronts - right, but a column of the tile lies in a single bank
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[32][32];
    int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && column < columns)
        tile[threadIdx.y][threadIdx.x] = in[row * columns + column];
    __syncthreads();
    row = blockIdx.y * 32 + threadIdx.x;
    column = blockIdx.x * 32 + threadIdx.y;
    if (row < rows && column < columns)
        out[column * rows + row] = tile[threadIdx.x][threadIdx.y];
}
