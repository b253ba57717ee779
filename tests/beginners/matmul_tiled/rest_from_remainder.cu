// cause: `for (int k = K % TILE; k < K; k++)`: the rest that the loop over whole tiles leaves begins at K - K % TILE, not at K % TILE, so products are counted twice (K = 16: all of them) or not at all (K = 1).
// first: wrong_value multiple
// says: C[0][0] has each of its elements of B 2 times; so it is with all wrong elements.
// asks: Where is it counted again: in another line, in another turn of a loop, or in another thread?
/* Lab 05: whole tiles first, then the rest straight from global memory */
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;

    for (int first = 0; first + TILE <= K; first += TILE) {
        As[threadIdx.y][threadIdx.x] = row < M ? A[row * K + first + threadIdx.x] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = col < N ? B[(first + threadIdx.y) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }

    if (row < M && col < N) {
        for (int k = K % TILE; k < K; k++)
            sum += A[row * K + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}
