// cause: the second row's element is stored under the guard of the first row (row < M), so when row + 16 >= M the store goes beyond the end of C.
// first: out_of_bounds guarded
// says: write C[16][0], but C has 1 row of 1 element
// asks: Which row and which column did the thread want, and which condition let it through?
#define TILE 16

// every thread does 2 elements of C: (row, col) and (row + 16, col)
extern "C" __constant__ int matmul_tiled_items[2] = {TILE, 2 * TILE};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[2 * TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE * 2 + ty;
    int col = blockIdx.x * TILE + tx;
    float sum[2] = {0.0f, 0.0f};

    for (int first = 0; first < K; first += TILE) {
        int ka = first + tx;
        As[ty][tx]        = (row < M && ka < K) ? A[row * K + ka] : 0.0f;
        As[ty + TILE][tx] = (row + TILE < M && ka < K) ? A[(row + TILE) * K + ka] : 0.0f;
        Bs[ty][tx]        = (first + ty < K && col < N) ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++) {
            sum[0] += As[ty][k] * Bs[k][tx];
            sum[1] += As[ty + TILE][k] * Bs[k][tx];
        }
        __syncthreads();
    }

    if (row < M && col < N) {
        C[row * N + col] = sum[0];
        C[(row + TILE) * N + col] = sum[1];
    }
}
