// expect: pass - no padding; the columns of the tile are permuted differently in each row
#define TILE 32
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    if (row < rows && column < columns)
        tile[y][x ^ y] = in[row * columns + column];
    __syncthreads();
    row = blockIdx.y * TILE + x;
    column = blockIdx.x * TILE + y;
    if (row < rows && column < columns)
        out[column * rows + row] = tile[x][x ^ y];
}
