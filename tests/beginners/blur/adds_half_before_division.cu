// cause: The mean is rounded to the nearest number, because 128 is added, but the contract rounds down
// first: wrong_value other
// says: Every element is the mean rounded to the nearest number.
// asks: How does the contract round?
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
        int r = cell / WIDE, c = cell % WIDE;
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
    out[y * width + x] = (sum + 128) / 256;    // the mean, in whole numbers
}
