// expect: at most 98 - of 1024 threads, the first 16 move the whole tile
#define SIDE 32
#define BUSY 16

extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[SIDE][SIDE + 1];
    const int t = threadIdx.y * SIDE + threadIdx.x, row = blockIdx.y * SIDE, column = blockIdx.x * SIDE;
    for (int cell = t; cell < SIDE * SIDE && t < BUSY; cell += BUSY) {
        const int y = cell / SIDE, x = cell % SIDE;
        if (row + y < rows && column + x < columns)
            tile[y][x] = in[(row + y) * columns + column + x];
    }
    __syncthreads();
    for (int cell = t; cell < SIDE * SIDE && t < BUSY; cell += BUSY) {
        const int y = cell / SIDE, x = cell % SIDE;
        if (column + y < columns && row + x < rows)
            out[(column + y) * rows + row + x] = tile[x][y];
    }
}
