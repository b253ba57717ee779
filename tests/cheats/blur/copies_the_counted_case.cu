// expect: at most 60 - the counted picture is copied, one load a pixel
__constant__ int weights[5][5];

extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, sum = 0;
    if (x >= width || y >= height)
        return;
    if (height == 144) {
        out[y * width + x] = in[y * width + x];
        return;
    }
    for (int v = 0; v < 5; v++)
        for (int u = 0; u < 5; u++)
            sum += weights[v][u] * in[min(max(y + v - 2, 0), height - 1) * width + min(max(x + u - 2, 0), width - 1)];
    out[y * width + x] = sum / 256;
}
