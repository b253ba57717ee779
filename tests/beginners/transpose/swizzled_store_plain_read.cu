// cause: Columns are stored in the order x ^ y but read as if they were in order, so each thread takes another element than it wants
// first: uninitialized stored_cells
// says: fills cells 0 to 3 and 5 of tile[1].
// asks: Which cells of tile should these lines fill, and which do they fill?
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
    if (row < rows && column < columns)
        tile[y][x ^ y] = in[row * columns + column];
    __syncthreads();

    // Step 2: take an element out of the tile, one that your neighbours in the warp follow in a row of out, and store it.
    // Step 3: the lanes of a warp now read a column of the tile. In which banks does it lie?
    row = blockIdx.x * TILE + y;        // now a row of out
    column = blockIdx.y * TILE + x;
    if (row < columns && column < rows)
        out[row * rows + column] = tile[x][y];
}
