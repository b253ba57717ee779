// expect: never_written - the condition of the load guards the store as well, but another element is stored than loaded
#define TILE 32
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[TILE][TILE + 1];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    bool inside = row < rows && column < columns;
    if (inside)
        tile[threadIdx.y][threadIdx.x] = in[row * columns + column];
    __syncthreads();
    row = blockIdx.y * TILE + threadIdx.x;
    column = blockIdx.x * TILE + threadIdx.y;
    if (inside && row < rows && column < columns)
        out[column * rows + row] = tile[threadIdx.x][threadIdx.y];
}
