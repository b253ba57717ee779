// cause: `const int tiles = __float2int_rn(K / (float)TILE);` rounds to the nearest whole number instead of up, so a last tile with up to half its columns is left out (K = 17: 1 tile; K = 1: none).
// first: wrong_value tail
// says: The last product of every sum is missing, that of k = 16.
// asks: Does the loop over the tiles, or the one over k, end too early?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;

    // K / TILE alone would forget the rest
    const int tiles = __float2int_rn(K / (float)TILE);

    float value = 0.0f;
    for (int t = 0; t < tiles; t++) {
        const int ka = t * TILE + threadIdx.x;
        const int kb = t * TILE + threadIdx.y;

        As[threadIdx.y][threadIdx.x] = (row < M && ka < K) ? A[row * K + ka] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (kb < K && col < N) ? B[kb * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            value += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = value;
}
