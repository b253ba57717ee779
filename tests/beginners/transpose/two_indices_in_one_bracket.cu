// cause: Does not compile: [y, x ^ y] is one index, made with the comma operator, so the left side is a whole row, to which nothing can be assigned
// first: compile comma_index
// says: The comma between these brackets is an operator: tile[y, x ^ y] means tile[x ^ y]. Each dimension has brackets of its own, and with one dimension there is one index: row * columns + column
// asks:
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
        tile[y, x ^ y] = in[row * columns + column];
    __syncthreads();

    // Step 2: take an element out of the tile, one that your neighbours in the warp follow in a row of out, and store it.
    // Step 3: the lanes of a warp now read a column of the tile. In which banks does it lie?
    row = blockIdx.x * TILE + y;        // now a row of out
    column = blockIdx.y * TILE + x;
    if (row < columns && column < rows)
        out[row * rows + column] = tile[x][y ^ x];
}
