// cause: the barrier is in the loop that fills the tile, which some threads leave after one turn
// first: barrier_divergent loop
// says: 144 threads wait at the barrier at line 15 (the first is (0,0,0)), 112 went around it and on to line 18 (one of them is (0,9,0)). Line 15 is in the loop of line 13: each turn needs every thread.
// asks: How many turns of the loop does the first thread in the message make, and how many the others?
#define TILE 16
#define WIDE 20
__constant__ int weights[5][5];

extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    __shared__ unsigned char tile[WIDE][WIDE];
    int left = (int)blockIdx.x * TILE - 2, top = (int)blockIdx.y * TILE - 2;
    for (int c = threadIdx.y * TILE + threadIdx.x; c < WIDE * WIDE; c += TILE * TILE) {
        tile[c / WIDE][c % WIDE] = in[min(max(top + c / WIDE, 0), height - 1) * width + min(max(left + c % WIDE, 0), width - 1)];
        __syncthreads();
    }
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height) {
        int sum = 0;
        for (int v = 0; v < 5; v++)
            for (int u = 0; u < 5; u++)
                sum += weights[v][u] * tile[threadIdx.y + v][threadIdx.x + u];
        out[y * width + x] = sum / 256;
    }
}
