// expect: out_of_bounds line=9 - reads beyond the edges
extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, sum = 0;
    if (x >= width || y >= height)
        return;
    for (int v = -1; v <= 1; v++)
        for (int u = -1; u <= 1; u++)
            sum += in[(y + v) * width + x + u];
    out[y * width + x] = sum / 9;
}
