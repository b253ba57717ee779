// cause: The column of out is computed with threadIdx.y instead of threadIdx.x, so all threads of a row of the block store in the same element, on a diagonal
// first: race_warp same_element
// says: out_column = blockIdx.y*TILE + y
// asks: Which threads have the same index here?
#define TILE 32
#define PITCH (TILE + 1)

extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    // Find your row and column of in. Step 1: store the element in out from here; the second part can stay empty.
    // Step 2: put it into a tile in shared memory instead.
    __shared__ float tile[TILE * PITCH];
    int x = threadIdx.x;
    int y = threadIdx.y;
    int in_row = blockIdx.y * TILE + y;
    int in_column = blockIdx.x * TILE + x;
    bool loads = in_row < rows && in_column < columns;
    // it is turned on the way in
    if (loads)
        tile[x * PITCH + y] = in[in_row * columns + in_column];
    __syncthreads();

    // Step 2: take an element out of the tile, one that your neighbours in the warp follow in a row of out, and store it.
    // Step 3: the lanes of a warp now read a column of the tile. In which banks does it lie?
    int out_row = blockIdx.x * TILE + y;
    int out_column = blockIdx.y * TILE + y;
    if (out_row >= columns || out_column >= rows)
        return;
    out[out_row * rows + out_column] = tile[y * PITCH + x];
}
