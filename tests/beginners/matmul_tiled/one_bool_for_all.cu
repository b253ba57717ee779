// cause: both loads stand under the guard of C (row < M && col < N); it does not ask about k, so with K not a multiple of 16 elements of other rows or beyond the arrays are read, and threads outside of C put 0 where A or B has elements that others need.
// first: out_of_bounds guarded
// says: read B[17][0], but B has 17 rows of 17 elements
// asks: Which row and which column did the thread want, and which condition let it through?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * blockDim.y + ty;
    int col = blockIdx.x * blockDim.x + tx;
    bool valid = row < M && col < N;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        if (valid) {
            As[ty][tx] = A[row * K + first + tx];
            Bs[ty][tx] = B[(first + ty) * N + col];
        } else {
            // outside: 0 adds nothing
            As[ty][tx] = 0.0f;
            Bs[ty][tx] = 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (valid)
        C[row * N + col] = sum;
}
