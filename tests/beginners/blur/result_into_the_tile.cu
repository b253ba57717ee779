// cause: The result is stored into the tile while other threads still need the old pixel for their windows
// first: race_shared in_place
// says: line 38 replaces what other threads still read in line 37
// asks: Who else reads the cell that one thread changes here, and when?
#define TILE 32                    // pixels each way, per block
#define RADIUS 2                    // pixels of the halo on each side
#define SIDE (2 * RADIUS + 1)       // of the window
#define WIDE (TILE + 2 * RADIUS)    // of the tile with its halo

__constant__ int weights[SIDE][SIDE];

__device__ int nearest(int k, int length)
{
    return max(0, min(k, length - 1));
}

// 32 x 32 threads
extern "C" __global__ void __launch_bounds__(TILE * TILE)
    blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    // The block's tile and its halo are WIDE x WIDE pixels, more than it has threads. Load them into shared memory.
    __shared__ unsigned char tile[WIDE * WIDE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int left = blockIdx.x * TILE, top = blockIdx.y * TILE;      // of the block, without halo
    for (int c = ty * TILE + tx; c < WIDE * WIDE; c += TILE * TILE) {
        int row = nearest(top + c / WIDE - RADIUS, height);
        int column = nearest(left + c % WIDE - RADIUS, width);
        tile[c] = in[row * width + column];
    }
    __syncthreads();

    // Each thread that has a pixel adds up its window, and stores the mean.
    if (left + tx < width && top + ty < height) {
        int sum = 0;
        for (int dy = -RADIUS; dy <= RADIUS; dy++)
            for (int dx = -RADIUS; dx <= RADIUS; dx++)
                sum += weights[dy + RADIUS][dx + RADIUS] * tile[(ty + RADIUS + dy) * WIDE + tx + RADIUS + dx];
        tile[(ty + RADIUS) * WIDE + tx + RADIUS] = sum / 256;
        out[(top + ty) * width + left + tx] = tile[(ty + RADIUS) * WIDE + tx + RADIUS];
    }
}
