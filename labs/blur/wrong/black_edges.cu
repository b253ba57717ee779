// expect: wrong_value - a pixel beyond the edge counts as black, so the edges get darker
#define TILE 16
#define RADIUS 2
#define SIDE 5
#define WIDE 20
__constant__ int weights[SIDE][SIDE];

extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    __shared__ unsigned char tile[WIDE][WIDE];
    int left = (int)blockIdx.x * TILE - RADIUS, top = (int)blockIdx.y * TILE - RADIUS;
    for (int cell = threadIdx.y * TILE + threadIdx.x; cell < WIDE * WIDE; cell += TILE * TILE) {
        int row = top + cell / WIDE, column = left + cell % WIDE;
        bool inside = row >= 0 && row < height && column >= 0 && column < width;
        tile[cell / WIDE][cell % WIDE] = inside ? in[row * width + column] : 0;
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
