// cause: the loops end at 4, so the last row and column of the window are left out
// first: wrong_value other
// says: out[row 2, column 3] should be 12 but is 0; 6 of 99 elements are wrong. Every element is what comes out without the last row and the last column of the window. How many rows and columns has it?
// asks: 
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
        for (int v = 0; v < 4; v++)
            for (int u = 0; u < 4; u++)
                sum += weights[v][u] * tile[threadIdx.y + v][threadIdx.x + u];
        out[y * width + x] = sum / 256;
    }
}
