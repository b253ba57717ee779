// expect: pass - tiles of 16 x 16 for blocks of as many threads; with 17 words a row, two passes each way
#define TILE 16
extern "C" __global__ void __launch_bounds__(TILE * TILE) transpose(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[TILE][TILE + 1];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && column < columns)
        tile[threadIdx.x][threadIdx.y] = in[row * columns + column];
    __syncthreads();
    row = blockIdx.x * TILE + threadIdx.y;
    column = blockIdx.y * TILE + threadIdx.x;
    if (row < columns && column < rows)
        out[row * rows + column] = tile[threadIdx.y][threadIdx.x];
}
