// cause: matmul_tiled_items takes columns first, then rows; {16, 32} starts blocks for 16 columns and 32 rows each, but the kernel (lines 15 and 16) covers 32 columns and 16 rows per block, so the lower half of C is never written.
// first: never_written items_xy
// says: Because of line 8, there is a block for every 16 columns and 32 rows of C.
// asks: For how many columns and rows does the lab start one block, and how many of each does a block of this kernel store?
#define TILE 16

// rows, columns of one block
extern "C" __constant__ int matmul_tiled_items[2] = {TILE, 2 * TILE};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][2 * TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y;
    int col = blockIdx.x * (2 * TILE) + x;
    float c0 = 0.0f, c1 = 0.0f;

    for (int k0 = 0; k0 < K; k0 += TILE) {
        As[y][x] = row < M && k0 + x < K ? A[row * K + k0 + x] : 0.0f;
        for (int j = 0; j < 2; j++) {
            int cc = col + j * TILE;
            Bs[y][x + j * TILE] = k0 + y < K && cc < N ? B[(k0 + y) * N + cc] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            c0 += As[y][k] * Bs[k][x];
            c1 += As[y][k] * Bs[k][x + TILE];
        }
        __syncthreads();
    }

    if (row < M && col < N) C[row * N + col] = c0;
    if (row < M && col + TILE < N) C[row * N + col + TILE] = c1;
}
