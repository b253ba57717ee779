// cause: the sum is a shared variable of the block
// first: race_shared one_variable
// says: shared variable sum written by thread (10,1,0) (line 22) and written by thread (3,2,0) (line 22); there is one such variable for the whole block, and every thread that comes here uses it. The values came out right here, by luck.
// asks: How many variables sum are there for a block, and how many threads use it here? Whose value remains?
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
        __shared__ int sum;
        sum = 0;
        for (int v = 0; v < 5; v++)
            for (int u = 0; u < 5; u++)
                sum += weights[v][u] * tile[threadIdx.y + v][threadIdx.x + u];
        out[y * width + x] = sum / 256;
    }
}
