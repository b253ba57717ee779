// expect: uninitialized - the blocks change places, but within the tile rows stay rows
#define TILE 32
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[TILE][TILE + 1];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && column < columns)
        tile[threadIdx.y][threadIdx.x] = in[row * columns + column];
    __syncthreads();
    int out_row = blockIdx.x * TILE + threadIdx.y, out_column = blockIdx.y * TILE + threadIdx.x;
    if (out_row < columns && out_column < rows)
        out[out_row * rows + out_column] = tile[threadIdx.y][threadIdx.x];
}
