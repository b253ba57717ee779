// cause: beyond an edge the picture begins again on the other side
// first: wrong_value other
// says: out[row 0, column 0] should be 157 but is 161; 12 of 12 elements are wrong. Every element is what comes out if the picture begins again on the other side beyond an edge. As which pixel should one beyond the edge count?
// asks: 
#define TILE 16
#define WIDE 20
__constant__ int weights[5][5];

extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    __shared__ unsigned char tile[WIDE][WIDE];
    int left = (int)blockIdx.x * TILE - 2, top = (int)blockIdx.y * TILE - 2;
    for (int c = threadIdx.y * TILE + threadIdx.x; c < WIDE * WIDE; c += TILE * TILE)
        tile[c / WIDE][c % WIDE] = in[((top + c / WIDE + 2 * height) % height) * width + ((left + c % WIDE + 2 * width) % width)];
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
