// expect: budget global_load_requests - right, but each pixel is loaded nine times
extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, sum = 0, count = 0;
    if (x >= width || y >= height)
        return;
    for (int v = max(y - 1, 0); v <= min(y + 1, height - 1); v++)
        for (int u = max(x - 1, 0); u <= min(x + 1, width - 1); u++, count++)
            sum += in[v * width + u];
    out[y * width + x] = sum / count;
}
