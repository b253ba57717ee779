// cause: `c11 += a1 * b0;` is left over from the line for c10: the fourth element of each thread gets the product with column b0 instead of b1.
// first: wrong_value moved
// says: C[16][16] is made of B[0][0], and should be made of B[0][16].
// asks: Which line reads B for C[16][16], and which index does it compute?
/* Lab 05: 2 x 2 elements per thread, blocks cover 32 x 32 */
#define TILE 16

extern "C" __constant__ int matmul_tiled_items[2] = {2 * TILE, 2 * TILE};

__device__ float elem(const float *m, int r, int c, int rows, int cols)
{
    return r < rows && c < cols ? m[r * cols + c] : 0.0f;
}

__device__ void put(float *m, int r, int c, int rows, int cols, float v)
{
    if (r < rows && c < cols)
        m[r * cols + c] = v;
}

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[2 * TILE][TILE];
    __shared__ float Bs[TILE][2 * TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * 2 * TILE + y;
    int col = blockIdx.x * 2 * TILE + x;
    float c00 = 0, c01 = 0, c10 = 0, c11 = 0;

    for (int first = 0; first < K; first += TILE) {
        As[y][x] = elem(A, row, first + x, M, K);
        As[y + TILE][x] = elem(A, row + TILE, first + x, M, K);
        Bs[y][x] = elem(B, first + y, col, K, N);
        Bs[y][x + TILE] = elem(B, first + y, col + TILE, K, N);
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            float a0 = As[y][k], a1 = As[y + TILE][k];
            float b0 = Bs[k][x], b1 = Bs[k][x + TILE];
            c00 += a0 * b0;
            c01 += a0 * b1;
            c10 += a1 * b0;
            c11 += a1 * b0;
        }
        __syncthreads();
    }
    put(C, row, col, M, N, c00);
    put(C, row, col + TILE, M, N, c01);
    put(C, row + TILE, col, M, N, c10);
    put(C, row + TILE, col + TILE, M, N, c11);
}
