// cause: threads without an element of in return; after the barrier the others have another row and column, and nobody asks whether out has them
// first: out_of_bounds guarded
// says: write out[1][0], but out has 1 row of 34 elements
// asks: Which row and which column did the thread want, and which condition let it through?
#define TILE 32
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[TILE][TILE + 1];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    if (row >= rows || column >= columns)
        return;
    tile[threadIdx.y][threadIdx.x] = in[row * columns + column];
    __syncthreads();
    row = blockIdx.y * TILE + threadIdx.x;
    column = blockIdx.x * TILE + threadIdx.y;
    out[column * rows + row] = tile[threadIdx.x][threadIdx.y];
}
