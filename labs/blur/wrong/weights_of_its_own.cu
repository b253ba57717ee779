// expect: wrong_value - weights of its own, though the lab hands over others
#define TILE 16
#define RADIUS 2
#define SIDE 5
#define WIDE 20
__device__ const int weights[SIDE][SIDE] = {
    {1, 4, 6, 4, 1}, {4, 16, 24, 16, 4}, {6, 24, 36, 24, 6}, {4, 16, 24, 16, 4}, {1, 4, 6, 4, 1}};

extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    __shared__ unsigned char tile[WIDE][WIDE];
    int left = (int)blockIdx.x * TILE - RADIUS, top = (int)blockIdx.y * TILE - RADIUS;
    for (int cell = threadIdx.y * TILE + threadIdx.x; cell < WIDE * WIDE; cell += TILE * TILE) {
        int row = min(max(top + cell / WIDE, 0), height - 1), column = min(max(left + cell % WIDE, 0), width - 1);
        tile[cell / WIDE][cell % WIDE] = in[row * width + column];
    }
    __syncthreads();
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height) {
        int sum = 0;
        for (int v = 0; v < SIDE; v++)
            for (int u = 0; u < SIDE; u++)
                sum += weights[v][u] * tile[threadIdx.y + v][threadIdx.x + u];
        out[y * width + x] = sum / 256;
    }
}
