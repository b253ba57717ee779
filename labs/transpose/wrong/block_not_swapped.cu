// expect: uninitialized - the tile is turned, but the block stays where it was
#define TILE 32
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[TILE][TILE + 1];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && column < columns)
        tile[threadIdx.y][threadIdx.x] = in[row * columns + column];
    __syncthreads();
    if (column < rows && row < columns)
        out[row * rows + column] = tile[threadIdx.x][threadIdx.y];
}
