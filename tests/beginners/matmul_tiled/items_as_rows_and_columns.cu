// cause: Line 7: matmul_tiled_items is given as rows, columns = {16, 32}, but it wants columns first, so there are half as many blocks along the rows as needed and rows of C beyond the first half stay unwritten.
// first: never_written items_xy
// says: Because of line 7, there is a block for every 16 columns and 32 rows of C.
// asks: For how many columns and rows does the lab start one block, and how many of each does a block of this kernel store?
#define TILE 16

extern "C" __constant__ int matmul_tiled_items[2] = {TILE, 2 * TILE};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float B0[TILE][TILE];
    __shared__ float B1[TILE][TILE];
    int ty = threadIdx.y, tx = threadIdx.x;
    int y  = blockIdx.y * TILE + ty;
    int x0 = blockIdx.x * (2 * TILE) + tx;   // a thread makes two elements next to each other, 16 columns apart
    int x1 = x0 + TILE;
    float s0 = 0, s1 = 0;

    for (int k0 = 0; k0 < K; k0 += TILE) {
        int ka = k0 + tx, kb = k0 + ty;
        As[ty][tx] = y < M && ka < K ? A[y * K + ka] : 0;
        B0[ty][tx] = kb < K && x0 < N ? B[kb * N + x0] : 0;
        B1[ty][tx] = kb < K && x1 < N ? B[kb * N + x1] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            s0 += As[ty][k] * B0[k][tx];
            s1 += As[ty][k] * B1[k][tx];
        }
        __syncthreads();
    }
    if (y < M && x0 < N) C[y * N + x0] = s0;
    if (y < M && x1 < N) C[y * N + x1] = s1;
}
