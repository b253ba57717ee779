// cause: after the exchange of the blocks, x and y are of out, but the guard still asks for those of in
// first: out_of_bounds guarded
// says: write out[1][0], but out has 1 row of 34 elements
// asks: Which row and which column did the thread want, and which condition let it through?
#define TILE 32
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < columns && y < rows)
        tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < columns && y < rows)
        out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}
