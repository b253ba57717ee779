// cause: the tiles begin at 2 * first, so the second one begins at k = 32
// first: wrong_value zeroed
// says: After k = 15, the thread that stores it multiplies As[0][0] by Bs[0][0] at line 21, and both hold 0.
// asks: Which row and column do the loads compute in that turn of the loop, and what do their conditions ask?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        As[ty][tx] = row < M && 2 * first + tx < K ? A[row * K + 2 * first + tx] : 0.0f;
        Bs[ty][tx] = 2 * first + ty < K && col < N ? B[(2 * first + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}
