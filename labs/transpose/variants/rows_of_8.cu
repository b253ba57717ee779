// expect: pass - blocks of 32 x 8 threads, each of which moves four elements of a tile of 32 x 32
#define TILE 32
#define ROWS 8
extern "C" __constant__ int transpose_block[3] = {TILE, ROWS, 1};
extern "C" __constant__ int transpose_items[2] = {TILE, TILE};
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[TILE][TILE + 1];
    int column = blockIdx.x * TILE + threadIdx.x, first = blockIdx.y * TILE;
    for (int y = threadIdx.y; y < TILE; y += ROWS)
        if (first + y < rows && column < columns)
            tile[y][threadIdx.x] = in[(first + y) * columns + column];
    __syncthreads();
    int out_column = blockIdx.y * TILE + threadIdx.x, out_first = blockIdx.x * TILE;
    for (int y = threadIdx.y; y < TILE; y += ROWS)
        if (out_first + y < columns && out_column < rows)
            out[(out_first + y) * rows + out_column] = tile[threadIdx.x][y];
}
