// cause: the tile is read with x and y exchanged
// first: wrong_value other
// says: out[row 0, column 0] should be 157 but is 169; 12 of 12 elements are wrong.
// asks: Take the test with one white pixel. Which weights should be seen around it, and which ones are?
#define TILE 16
#define WIDE 20
__constant__ int weights[5][5];

extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    __shared__ unsigned char tile[WIDE][WIDE];
    int left = (int)blockIdx.x * TILE - 2, top = (int)blockIdx.y * TILE - 2;
    for (int c = threadIdx.y * TILE + threadIdx.x; c < WIDE * WIDE; c += TILE * TILE)
        tile[c / WIDE][c % WIDE] = in[min(max(top + c / WIDE, 0), height - 1) * width + min(max(left + c % WIDE, 0), width - 1)];
    __syncthreads();
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height) {
        int sum = 0;
        for (int v = 0; v < 5; v++)
            for (int u = 0; u < 5; u++)
                sum += weights[v][u] * tile[threadIdx.x + u][threadIdx.y + v];
        out[y * width + x] = sum / 256;
    }
}
