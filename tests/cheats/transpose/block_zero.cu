// expect: at most 94 - the first block moves all tiles, one after the other
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[32][33];
    if (blockIdx.x > 0 || blockIdx.y > 0)
        return;
    for (int top = 0; top < rows; top += 32) {
        for (int left = 0; left < columns; left += 32) {
            int row = top + threadIdx.y, column = left + threadIdx.x;
            if (row < rows && column < columns)
                tile[threadIdx.y][threadIdx.x] = in[row * columns + column];
            __syncthreads();
            row = top + threadIdx.x;
            column = left + threadIdx.y;
            if (row < rows && column < columns)
                out[column * rows + row] = tile[threadIdx.x][threadIdx.y];
            __syncthreads();
        }
    }
}
