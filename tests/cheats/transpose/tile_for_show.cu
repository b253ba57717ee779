// expect: at most 80 - each element goes through a cell of its own and comes back to the same thread
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[32][33];
    int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && column < columns) {
        tile[threadIdx.y][threadIdx.x] = in[row * columns + column];
        out[column * rows + row] = tile[threadIdx.y][threadIdx.x];
    }
}
