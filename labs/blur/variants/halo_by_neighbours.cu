// expect: pass - the middle by all threads, then edges and corners of the halo by those next to them
#define TILE 16
#define RADIUS 2
#define SIDE 5
#define WIDE 20
__constant__ int weights[SIDE][SIDE];

extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    __shared__ unsigned char tile[WIDE][WIDE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    int tx = threadIdx.x, ty = threadIdx.y;
    auto load = [&](int row, int column) {
        int from_row = min(max(y - ty + row - RADIUS, 0), height - 1);
        int from = min(max(x - tx + column - RADIUS, 0), width - 1);
        tile[row][column] = in[from_row * width + from];
    };
    load(ty + RADIUS, tx + RADIUS);
    if (tx < RADIUS) {
        load(ty + RADIUS, tx);
        load(ty + RADIUS, tx + RADIUS + TILE);
    }
    if (ty < RADIUS) {
        load(ty, tx + RADIUS);
        load(ty + RADIUS + TILE, tx + RADIUS);
    }
    if (tx < RADIUS && ty < RADIUS) {
        load(ty, tx);
        load(ty, tx + RADIUS + TILE);
        load(ty + RADIUS + TILE, tx);
        load(ty + RADIUS + TILE, tx + RADIUS + TILE);
    }
    __syncthreads();
    if (x < width && y < height) {
        int sum = 0;
        for (int v = 0; v < SIDE; v++)
            for (int u = 0; u < SIDE; u++)
                sum += weights[v][u] * tile[threadIdx.y + v][threadIdx.x + u];
        out[y * width + x] = sum / 256;
    }
}
