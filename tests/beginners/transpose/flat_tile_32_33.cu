// cause: a flat tile is filled with rows of 33 words and read with rows of 32
// first: uninitialized stored_cells
// says: out[0][1] is computed from tile[32], which was never written: it is read at line 15 and goes into the result at line 15
// asks: Which cells of tile should these lines fill, and which do they fill?
#define TILE 32
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[TILE * (TILE + 1)];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && column < columns)
        tile[threadIdx.y * (TILE + 1) + threadIdx.x] = in[row * columns + column];
    __syncthreads();
    int r = blockIdx.x * TILE + threadIdx.y, c = blockIdx.y * TILE + threadIdx.x;
    if (r < columns && c < rows)
        out[r * rows + c] = tile[threadIdx.x * TILE + threadIdx.y];
}
