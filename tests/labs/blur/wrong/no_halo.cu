// expect: wrong_value|uninitialized|out_of_bounds - the tile has no halo
extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    __shared__ unsigned char tile[16][16];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = x < width && y < height ? in[y * width + x] : 0;
    __syncthreads();
    if (x < width && y < height) {
        int sum = 0, count = 0;
        for (int v = -1; v <= 1; v++)
            for (int u = -1; u <= 1; u++)
                if (x + u >= 0 && x + u < width && y + v >= 0 && y + v < height) {
                    int row = threadIdx.y + v, column = threadIdx.x + u;
                    if (row >= 0 && row < 16 && column >= 0 && column < 16)
                        sum += tile[row][column];
                    count++;
                }
        out[y * width + x] = sum / count;
    }
}
