// cause: Rows below the picture are clamped to height, which is one behind the last row, height - 1, so bytes behind the picture are read
// first: out_of_bounds
// says: y is set in lines 19, 21 and 23.
// asks: Which row and which column did the thread want? Do they exist, in the picture or in the tile?
#define TILE 16                    // pixels each way, per block
#define RADIUS 2                    // pixels of the halo on each side
#define SIDE (2 * RADIUS + 1)       // of the window
#define WIDE (TILE + 2 * RADIUS)    // of the tile with its halo

__constant__ int weights[SIDE][SIDE];

extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    // The block's tile and its halo are WIDE x WIDE pixels, more than it has threads. Load them into shared memory.
    __shared__ unsigned char tile[WIDE][WIDE];
    const int x0 = (int)(blockIdx.x * TILE) - RADIUS;
    const int y0 = (int)(blockIdx.y * TILE) - RADIUS;
    for (int r = threadIdx.y; r < WIDE; r += TILE) {
        int y = y0 + r;
        if (y < 0)
            y = 0;
        if (y > height)
            y = height;
        const unsigned char *line = in + y * width;
        for (int c = threadIdx.x; c < WIDE; c += TILE) {
            int x = x0 + c;
            x = x < 0 ? 0 : x > width - 1 ? width - 1 : x;
            tile[r][c] = line[x];
        }
    }
    __syncthreads();

    // Each thread that has a pixel adds up its window, and stores the mean.
    const int x = x0 + RADIUS + threadIdx.x;
    const int y = y0 + RADIUS + threadIdx.y;
    if (x < width && y < height) {
        int sum = 0;
        for (int v = 0; v < SIDE; v++) {
            const unsigned char *cell = &tile[threadIdx.y + v][threadIdx.x];
            for (int u = 0; u < SIDE; u++)
                sum += weights[v][u] * cell[u];
        }
        out[y * width + x] = sum >> 8;
    }
}
