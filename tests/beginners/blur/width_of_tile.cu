// cause: takes the cell's number apart with the block's width instead of the tile's
// first: uninitialized shared
// says: out[0][12] is computed from tile[4][16], which was never written: it is read at line 21 and goes into the result at line 22
// asks: Which cells of tile did no thread of the block fill?
#define TILE 16
#define WIDE 20
__constant__ int weights[5][5];

extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    __shared__ unsigned char tile[WIDE][WIDE];
    int left = (int)blockIdx.x * TILE - 2, top = (int)blockIdx.y * TILE - 2;
    for (int c = threadIdx.y * TILE + threadIdx.x; c < WIDE * WIDE; c += TILE * TILE)
        tile[c / WIDE][c % TILE] = in[min(max(top + c / WIDE, 0), height - 1) * width + min(max(left + c % TILE, 0), width - 1)];
    __syncthreads();
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height) {
        int sum = 0;
        for (int v = 0; v < 5; v++)
            for (int u = 0; u < 5; u++)
                sum += weights[v][u] * tile[threadIdx.y + v][threadIdx.x + u];
        out[y * width + x] = sum / 256;
    }
}
