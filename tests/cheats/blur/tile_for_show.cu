// expect: at most 78 - a tile is filled with sums and read once, and the sums are computed without it
__constant__ int weights[5][5];

extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    __shared__ int tile[16][16];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= width || y >= height)
        return;
    tile[threadIdx.y][threadIdx.x] = 0;
    for (int v = 0; v < 5; v++)
        for (int u = 0; u < 5; u++)
            tile[threadIdx.y][threadIdx.x] +=
                weights[v][u] * in[min(max(y + v - 2, 0), height - 1) * width + min(max(x + u - 2, 0), width - 1)];
    out[y * width + x] = tile[threadIdx.y][threadIdx.x] / 256;
}
