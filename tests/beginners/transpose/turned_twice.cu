// cause: the tile is turned when it is filled and again when it is read
// first: uninitialized shared
// says: out[3][0] is computed from tile[0][3], which was never written: it is read at line 15 and goes into the result at line 15. In this block, only the cells 0 to 2 of tile[0] get a first value, at line 11.
// asks: Which cells of tile did no thread of the block fill?
#define TILE 32
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[TILE][TILE + 1];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && column < columns)
        tile[threadIdx.x][threadIdx.y] = in[row * columns + column];
    __syncthreads();
    int r = blockIdx.x * TILE + threadIdx.y, c = blockIdx.y * TILE + threadIdx.x;
    if (r < columns && c < rows)
        out[r * rows + c] = tile[threadIdx.x][threadIdx.y];
}
