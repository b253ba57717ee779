// cause: one bool for the element of C guards the load of A, too
// first: out_of_bounds guarded
// says: read A[16][17], but A has 17 rows of 17 elements
// asks: Which row and which column did the thread want, and which condition let it through?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    bool ok = row < M && col < N;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        As[ty][tx] = 0;
        if (ok)
            As[ty][tx] = A[row * K + first + tx];
        Bs[ty][tx] = first + ty < K && col < N ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}
