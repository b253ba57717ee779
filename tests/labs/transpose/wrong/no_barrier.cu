// expect: race_shared line=11 - the tile is read before the others have filled it
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[32][33];
    int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && column < columns)
        tile[threadIdx.y][threadIdx.x] = in[row * columns + column];
    row = blockIdx.y * 32 + threadIdx.x;
    column = blockIdx.x * 32 + threadIdx.y;
    if (row < rows && column < columns)
        out[column * rows + row] = tile[threadIdx.x][threadIdx.y];
}
