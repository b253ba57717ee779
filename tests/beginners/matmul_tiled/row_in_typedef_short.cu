// cause: the row is kept in 16 bits
// first: out_of_bounds overflow
// says: read A[-32768][0], but A has 32800 rows of 1 element
// asks: How large does the index get before it is stored, and what is the largest value of its type?
#define TILE 16

typedef short index_t;      // small numbers, saves registers

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    const index_t tx = threadIdx.x;
    const index_t ty = threadIdx.y;
    const index_t row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        As[ty][tx] = (row < M && first + tx < K) ? A[row * K + first + tx] : 0.0f;
        Bs[ty][tx] = (first + ty < K && col < N) ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();
        for (index_t k = 0; k < TILE; k++) {
            sum += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
    }
    if (row < M && col < N) {
        C[row * N + col] = sum;
    }
}
