// cause: each thread fills the cell of its own place, and some of the halo is left
// first: uninitialized shared
// says: out[0][0] is computed from tile[4][4], which was never written: it is read at line 24 and goes into the result at line 25
// asks: Which cells of tile did no thread of the block fill?
#define TILE 16
#define WIDE 20
__constant__ int weights[5][5];

extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    __shared__ unsigned char tile[WIDE][WIDE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height)
        tile[threadIdx.y + 2][threadIdx.x + 2] = in[y * width + x];
    if (threadIdx.x < 2 && y < height)
        tile[threadIdx.y + 2][threadIdx.x] = in[y * width + max(x - 2, 0)];
    if (threadIdx.y < 2 && x < width)
        tile[threadIdx.y][threadIdx.x + 2] = in[max(y - 2, 0) * width + x];
    __syncthreads();
    if (x < width && y < height) {
        int sum = 0;
        for (int v = 0; v < 5; v++)
            for (int u = 0; u < 5; u++)
                sum += weights[v][u] * tile[threadIdx.y + v][threadIdx.x + u];
        out[y * width + x] = sum / 256;
    }
}
