// cause: row and column are short, which ends at 32767; with 32800 rows or columns they become negative, pass the guards and lead to out-of-bounds indices (and elements from 32768 on are never written).
// first: out_of_bounds overflow
// says: read A[-32768][0], but A has 32800 rows of 1 element
// asks: How large does the index get before it is stored, and what is the largest value of its type?
#define TILE 16

typedef short idx_t;     // saves registers, matrices are small

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    const idx_t r = blockIdx.y * TILE + threadIdx.y;
    const idx_t c = blockIdx.x * TILE + threadIdx.x;

    float acc = 0.0f;
    for (int first = 0; first < K; first += TILE)
    {
        const int ka = first + threadIdx.x, kb = first + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = r < M && ka < K ? A[r * K + ka] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = kb < K && c < N ? B[kb * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }

    if (r < M && c < N)
        C[r * N + c] = acc;
}
