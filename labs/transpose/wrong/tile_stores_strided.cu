// expect: budget global_sectors - a tile, but it is turned on the way out, so the stores are as far apart as without it
#define TILE 32
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[TILE][TILE + 1];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && column < columns)
        tile[threadIdx.y][threadIdx.x] = in[row * columns + column];
    __syncthreads();
    if (row < rows && column < columns)
        out[column * rows + row] = tile[threadIdx.y][threadIdx.x];
}
