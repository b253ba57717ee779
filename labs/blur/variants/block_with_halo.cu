// expect: pass - more threads than pixels: a block of 20 x 20 loads one each, and the inner 16 x 16 compute
#define WIDE 20
__constant__ int weights[5][5];
extern "C" __constant__ int blur_block[3] = {WIDE, WIDE, 1};
extern "C" __constant__ int blur_items[2] = {16, 16};

extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    __shared__ unsigned char tile[WIDE][WIDE];
    int x = (int)(blockIdx.x * 16 + threadIdx.x) - 2, y = (int)(blockIdx.y * 16 + threadIdx.y) - 2;
    tile[threadIdx.y][threadIdx.x] = in[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)];
    __syncthreads();
    if (threadIdx.x < 2 || threadIdx.x >= 18 || threadIdx.y < 2 || threadIdx.y >= 18 || x >= width || y >= height)
        return;
    int sum = 0;
    for (int v = 0; v < 5; v++)
        for (int u = 0; u < 5; u++)
            sum += weights[v][u] * tile[threadIdx.y + v - 2][threadIdx.x + u - 2];
    out[y * width + x] = sum / 256;
}
