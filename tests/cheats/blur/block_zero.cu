// expect: at most 92 - the first block makes all tiles, one after the other
__constant__ int weights[5][5];

extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    __shared__ unsigned char tile[20][20];
    if (blockIdx.x > 0 || blockIdx.y > 0)
        return;
    for (int top = 0; top < height; top += 16) {
        for (int left = 0; left < width; left += 16) {
            for (int c = threadIdx.y * 16 + threadIdx.x; c < 400; c += 256)
                tile[c / 20][c % 20] = in[min(max(top + c / 20 - 2, 0), height - 1) * width + min(max(left + c % 20 - 2, 0), width - 1)];
            __syncthreads();
            int x = left + threadIdx.x, y = top + threadIdx.y, sum = 0;
            for (int v = 0; v < 5; v++)
                for (int u = 0; u < 5; u++)
                    sum += weights[v][u] * tile[threadIdx.y + v][threadIdx.x + u];
            if (x < width && y < height)
                out[y * width + x] = sum / 256;
            __syncthreads();
        }
    }
}
