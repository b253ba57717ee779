// cause: `if (row < M && col < N)` guards all four stores of a thread, but the columns col + 16, col + 32 and col + 48 may lie beyond N: they go into the next row (a race with its owner) or beyond C.
// first: out_of_bounds guarded
// says: write C[16][0], but C has 1 row of 1 element
// asks: Which row and which column did the thread want, and which condition let it through?
/* Lab 05: four elements of a row per thread */
#define TILE 16
#define PER 4

extern "C" __constant__ int matmul_tiled_items[2] = {PER * TILE, TILE};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][PER * TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * PER * TILE + tx;
    float sum[PER] = {0.0f, 0.0f, 0.0f, 0.0f};

    for (int first = 0; first < K; first += TILE) {
        As[ty][tx] = row < M && first + tx < K ? A[row * K + first + tx] : 0.0f;
        for (int j = 0; j < PER; j++) {
            int c = col + TILE * j;
            Bs[ty][tx + TILE * j] = first + ty < K && c < N ? B[(first + ty) * N + c] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < TILE; k++) {
            float a = As[ty][k];
            for (int j = 0; j < PER; j++)
                sum[j] += a * Bs[k][tx + TILE * j];
        }
        __syncthreads();
    }

    if (row < M && col < N) {
        for (int j = 0; j < PER; j++)
            C[row * N + col + TILE * j] = sum[j];
    }
}
