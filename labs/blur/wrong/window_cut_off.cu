// expect: wrong_value - adds up only the pixels that exist, and divides by 256 all the same
#define TILE 16
#define RADIUS 2
#define SIDE 5
#define WIDE 20
__constant__ int weights[SIDE][SIDE];

extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height) {
        int sum = 0;
        for (int v = max(y - RADIUS, 0); v <= min(y + RADIUS, height - 1); v++)
            for (int u = max(x - RADIUS, 0); u <= min(x + RADIUS, width - 1); u++)
                sum += weights[v - y + RADIUS][u - x + RADIUS] * in[v * width + u];
        out[y * width + x] = sum / 256;
    }
}
