// expect: out_of_bounds - a tile without a halo: the windows of the pixels at its edges stick out
#define TILE 16
#define RADIUS 2
#define SIDE 5
#define WIDE 20
__constant__ int weights[SIDE][SIDE];

extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    __shared__ unsigned char tile[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height)
        tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    if (x < width && y < height) {
        int sum = 0;
        for (int v = 0; v < SIDE; v++)
            for (int u = 0; u < SIDE; u++)
                sum += weights[v][u] * tile[threadIdx.y + v - RADIUS][threadIdx.x + u - RADIUS];
        out[y * width + x] = sum / 256;
    }
}
