// cause: Does not compile: there is no function clamp in CUDA C
// first: compile absent
// says: CUDA C has no clamp.
// asks:
#define TILE 16                    // pixels each way, per block
#define RADIUS 2                    // pixels of the halo on each side
#define SIDE (2 * RADIUS + 1)       // of the window
#define WIDE (TILE + 2 * RADIUS)    // of the tile with its halo

__constant__ int weights[SIDE][SIDE];

// A thread for each cell of the tile; those in the middle make a pixel of out.
extern "C" __constant__ int blur_block[3] = {WIDE, WIDE, 1};
extern "C" __constant__ int blur_items[2] = {TILE, TILE};

extern "C" __global__ void __launch_bounds__(WIDE * WIDE)
    blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    // The block's tile and its halo are WIDE x WIDE pixels, more than it has threads. Load them into shared memory.
    __shared__ unsigned char tile[WIDE][WIDE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = (int)blockIdx.x * TILE + tx - RADIUS;         // can be outside
    const int y = (int)blockIdx.y * TILE + ty - RADIUS;
    const int near_x = clamp(x, 0, width - 1);
    const int near_y = clamp(y, 0, height - 1);
    tile[ty][tx] = in[near_y * width + near_x];
    __syncthreads();

    // Each thread that has a pixel adds up its window, and stores the mean.
    const bool halo = tx < RADIUS || tx >= TILE + RADIUS || ty < RADIUS || ty >= TILE + RADIUS;
    if (!halo && x < width && y < height) {
        int sum = 0;
        for (int v = 0; v < SIDE; v++)
            for (int u = 0; u < SIDE; u++)
                sum += weights[v][u] * tile[ty - RADIUS + v][tx - RADIUS + u];
        out[y * width + x] = (unsigned char)(sum / 256);
    }
}
