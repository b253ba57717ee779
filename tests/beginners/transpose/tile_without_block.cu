// cause: the tile is addressed by the row and column of the matrix
// first: out_of_bounds shared
// says: write tile[32][0], but tile has 32 rows of 33 elements
// asks: How many elements does tile have, and from which parts is this index made?
#define TILE 32
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[TILE][TILE + 1];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && column < columns)
        tile[row][column] = in[row * columns + column];
    __syncthreads();
    int r = blockIdx.x * TILE + threadIdx.y, c = blockIdx.y * TILE + threadIdx.x;
    if (r < columns && c < rows)
        out[r * rows + c] = tile[c][r];
}
