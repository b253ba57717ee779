// cause: The column is clamped with the height of the picture instead of its width, so columns are wrong or out of bounds unless the picture is square
// first: out_of_bounds
// says: x is set in lines 26 and 27.
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
        if (y > height - 1)
            y = height - 1;
        const unsigned char *line = in + y * width;
        for (int c = threadIdx.x; c < WIDE; c += TILE) {
            int x = x0 + c;
            x = x < 0 ? 0 : x > height - 1 ? height - 1 : x;
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
