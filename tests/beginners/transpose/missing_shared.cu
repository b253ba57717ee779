// cause: the tile is declared without __shared__
// first: not_shared
// says: tile is declared without __shared__, so each thread has an array of its own, and what one thread stores in its tile no other thread can read.
// asks: Which threads store into this array, and which ones read what was stored?
#define TILE 32
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    float tile[TILE][TILE + 1];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && column < columns)
        tile[threadIdx.y][threadIdx.x] = in[row * columns + column];
    __syncthreads();
    int r = blockIdx.x * TILE + threadIdx.y, c = blockIdx.y * TILE + threadIdx.x;
    if (r < columns && c < rows)
        out[r * rows + c] = tile[threadIdx.x][threadIdx.y];
}
