// cause: The loading loop goes in steps of one row instead of STEP rows, so rows 0 to 10 of the tile are filled, several times, and the others never
// first: uninitialized stored_cells
// says: fills cells in rows 0 to 10 of tile.
// asks: Which cells of tile should these lines fill, and which do they fill?
#define TILE 32
#define STEP 8

// 32 x 8 threads, each moves four elements of a tile of 32 x 32
extern "C" __constant__ int transpose_block[3] = {TILE, STEP, 1};
extern "C" __constant__ int transpose_items[2] = {TILE, TILE};

extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    // Find your row and column of in. Step 1: store the element in out from here; the second part can stay empty.
    // Step 2: put it into a tile in shared memory instead.
    __shared__ float tile[TILE][TILE + 1];
    int column = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    for (int k = 0; k < TILE / STEP; k++) {
        if (row + k < rows && column < columns)
            tile[threadIdx.y + k][threadIdx.x] = in[(row + k) * columns + column];
    }
    __syncthreads();

    // Step 2: take an element out of the tile, one that your neighbours in the warp follow in a row of out, and store it.
    // Step 3: the lanes of a warp now read a column of the tile. In which banks does it lie?
    int to_column = blockIdx.y * TILE + threadIdx.x;
    int to_row = blockIdx.x * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += STEP) {
        if (to_row + k < columns && to_column < rows)
            out[(to_row + k) * rows + to_column] = tile[threadIdx.x][threadIdx.y + k];
    }
}
