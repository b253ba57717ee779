// cause: Line 40: the second element of the thread is stored under the guard for its first column (col < N) only; where col < N <= col + 16 it writes into the next row's elements or past the end of C.
// first: out_of_bounds guarded
// says: write C[0][16], but C has 1 row of 1 element
// asks: Which row and which column did the thread want, and which condition let it through?
#define TILE 16
extern "C" __constant__ int matmul_tiled_items[2] = {32, 16};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty;
    int col = blockIdx.x * 32 + tx;
    float c0 = 0.0f;
    float c1 = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        As[ty][tx] = 0.0f;
        Bs[ty][tx] = 0.0f;
        Bs[ty][tx + 16] = 0.0f;
        if (row < M && first + tx < K)
            As[ty][tx] = A[row * K + first + tx];
        if (first + ty < K) {
            if (col < N)
                Bs[ty][tx] = B[(first + ty) * N + col];
            if (col + 16 < N)
                Bs[ty][tx + 16] = B[(first + ty) * N + col + 16];
        }
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            c0 += As[ty][k] * Bs[k][tx];
            c1 += As[ty][k] * Bs[k][tx + 16];
        }
        __syncthreads();
    }

    if (row < M && col < N) {
        C[row * N + col] = c0;
        C[row * N + col + TILE] = c1;
    }
}
