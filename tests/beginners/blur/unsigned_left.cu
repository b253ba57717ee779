// cause: blockIdx.x * TILE - 2 is computed without a sign, so max() finds more than four billion instead of -2 and the last column is loaded
// first: wrong_value other
// says: out[row 0, column 0] should be 157 but is 127; 10 of 12 elements are wrong. Every element is what comes out if a pixel above or to the left of the picture counts as one of the last row or column. Is a row or a column below 0 kept, or compared, as a number without a sign?
// asks: 
#define TILE 16
#define WIDE 20
__constant__ int weights[5][5];

extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    __shared__ unsigned char tile[WIDE][WIDE];
    unsigned left = blockIdx.x * TILE - 2, top = blockIdx.y * TILE - 2;
    for (int c = threadIdx.y * TILE + threadIdx.x; c < WIDE * WIDE; c += TILE * TILE)
        tile[c / WIDE][c % WIDE] = in[min(max(top + c / WIDE, 0u), height - 1u) * width + min(max(left + c % WIDE, 0u), width - 1u)];
    __syncthreads();
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height) {
        int sum = 0;
        for (int v = 0; v < 5; v++)
            for (int u = 0; u < 5; u++)
                sum += weights[v][u] * tile[threadIdx.y + v][threadIdx.x + u];
        out[y * width + x] = sum / 256;
    }
}
