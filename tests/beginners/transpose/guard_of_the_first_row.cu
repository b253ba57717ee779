// cause: The guard of the store asks for row to_row, but the row that is stored is to_row + k, which may be behind the last row of out
// first: out_of_bounds guarded
// says: Line 30 asks to_row < columns: 0 < 1 is true
// asks: Which row and which column did the thread want, and which condition let it through?
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
    for (int k = 0; k < TILE; k += STEP) {
        if (row + k < rows && column < columns)
            tile[threadIdx.y + k][threadIdx.x] = in[(row + k) * columns + column];
    }
    __syncthreads();

    // Step 2: take an element out of the tile, one that your neighbours in the warp follow in a row of out, and store it.
    // Step 3: the lanes of a warp now read a column of the tile. In which banks does it lie?
    int to_column = blockIdx.y * TILE + threadIdx.x;
    int to_row = blockIdx.x * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += STEP) {
        if (to_row < columns && to_column < rows)
            out[(to_row + k) * rows + to_column] = tile[threadIdx.x][threadIdx.y + k];
    }
}
