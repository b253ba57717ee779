// cause: Line 19: one guard, that of the thread's own element of C, decides over both loads, so A and B are read beyond K at the edges (out of bounds or another row's elements), and columns of A are missing where col >= N.
// first: out_of_bounds guarded
// says: read B[17][0], but B has 17 rows of 17 elements
// asks: Which row and which column did the thread want, and which condition let it through?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    bool inside = row < M && col < N;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        if (inside) {
            As[ty][tx] = A[row * K + first + tx];
            Bs[ty][tx] = B[(first + ty) * N + col];
        } else {
            As[ty][tx] = 0.0f;
            Bs[ty][tx] = 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (inside)
        C[row * N + col] = sum;
}
