// expect: out_of_bounds line=15 - reads beyond the edges of the picture
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
        for (int v = 0; v < SIDE; v++)
            for (int u = 0; u < SIDE; u++)
                sum += weights[v][u] * in[(y + v - RADIUS) * width + x + u - RADIUS];
        out[y * width + x] = sum / 256;
    }
}
