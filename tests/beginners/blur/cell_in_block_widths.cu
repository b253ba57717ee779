// cause: Row and column of a cell are computed with the width of the block (16) instead of that of the tile (20), so columns 16 to 19 are never filled and rows from 20 on do not exist
// first: out_of_bounds shared
// says: Line 20 sets r to cell / TILE.
// asks: How many elements does tile have, and from which parts is this index made?
#define TILE 16                    // pixels each way, per block
#define RADIUS 2                    // pixels of the halo on each side
#define SIDE (2 * RADIUS + 1)       // of the window
#define WIDE (TILE + 2 * RADIUS)    // of the tile with its halo

__constant__ int weights[SIDE][SIDE];

extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    // The block's tile and its halo are WIDE x WIDE pixels, more than it has threads. Load them into shared memory.
    __shared__ unsigned short tile[WIDE][WIDE];
    int left = (int)blockIdx.x * TILE - RADIUS;
    int top = (int)blockIdx.y * TILE - RADIUS;
    int cell = threadIdx.y * TILE + threadIdx.x;
    do {
        int r = cell / TILE, c = cell % TILE;
        int from = min(max(top + r, 0), height - 1) * width + min(max(left + c, 0), width - 1);
        tile[r][c] = in[from];
        cell += TILE * TILE;
    } while (cell < WIDE * WIDE);
    __syncthreads();

    // Each thread that has a pixel adds up its window, and stores the mean.
    int x = left + RADIUS + threadIdx.x;
    int y = top + RADIUS + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int sum = 0;
#pragma unroll
    for (int k = 0; k < SIDE * SIDE; k++)
        sum += weights[k / SIDE][k % SIDE] * tile[threadIdx.y + k / SIDE][threadIdx.x + k % SIDE];
    out[y * width + x] = sum / 256;
}
