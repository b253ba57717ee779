// cause: divides the sum of each row of the window and rounds it down
// first: wrong_value other
// says: out[row 0, column 0] should be 157 but is 154; 12 of 12 elements are wrong. Every element is what comes out if each row of the window is divided by 256 and rounded down before it is added. How much can get lost in 5 of them?
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
        for (int v = 0; v < 5; v++) {
            int row = 0;
            for (int u = 0; u < 5; u++)
                row += weights[v][u] * tile[threadIdx.y + v][threadIdx.x + u];
            sum += row / 256;
        }
        out[y * width + x] = sum;
    }
}
