// cause: The barrier is before the tile is filled, so nothing orders filling and reading
// first: race_shared
// says: no barrier between them
// asks: What must every thread of the block have finished before any of them goes on to line 25?
#define TILE 32

extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    // Find your row and column of in. Step 1: store the element in out from here; the second part can stay empty.
    // Step 2: put it into a tile in shared memory instead.
    // No padding: row y of the tile has its columns in another order, x ^ y.
    __shared__ float tile[TILE][TILE];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y;
    int column = blockIdx.x * TILE + x;
    __syncthreads();
    if (row < rows && column < columns)
        tile[y][x ^ y] = in[row * columns + column];

    // Step 2: take an element out of the tile, one that your neighbours in the warp follow in a row of out, and store it.
    // Step 3: the lanes of a warp now read a column of the tile. In which banks does it lie?
    row = blockIdx.x * TILE + y;        // now a row of out
    column = blockIdx.y * TILE + x;
    if (row < columns && column < rows)
        out[row * rows + column] = tile[x][y ^ x];
}
