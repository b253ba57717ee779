// expect: budget global_load_requests - right, but each thread loads its 25 pixels for itself
#define TILE 16
#define RADIUS 2
#define SIDE 5
#define WIDE 20
__constant__ int weights[SIDE][SIDE];

extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int sum = 0;
    for (int v = 0; v < SIDE; v++)
        for (int u = 0; u < SIDE; u++) {
            int row = min(max(y + v - RADIUS, 0), height - 1), column = min(max(x + u - RADIUS, 0), width - 1);
            sum += weights[v][u] * in[row * width + column];
        }
    out[y * width + x] = sum / 256;
}
