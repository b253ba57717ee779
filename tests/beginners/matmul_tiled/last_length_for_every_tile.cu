// cause: `const int len = K % TILE ? K % TILE : TILE;` is the length of the last tile but is used for every tile, so with K = 17 only one product of the first tile is added.
// first: wrong_value missing
// says: A[0][1..15] are missing in C[0][0], which has only A[0][0] and A[0][16].
// asks: Which line should add these products, and for which k does it run?
/* Lab 05. The last tile may be shorter, so only multiply what is there. */
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;
    const int len = K % TILE ? K % TILE : TILE;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        if (row < M && first + threadIdx.x < K)
            As[threadIdx.y][threadIdx.x] = A[row * K + first + threadIdx.x];
        if (first + threadIdx.y < K && col < N)
            Bs[threadIdx.y][threadIdx.x] = B[(first + threadIdx.y) * N + col];
        __syncthreads();

        if (row < M && col < N) {
            for (int k = 0; k < len; k++)
                sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        }
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
