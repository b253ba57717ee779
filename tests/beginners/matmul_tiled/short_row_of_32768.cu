// cause: Line 12: row and column are short; with 32800 rows or columns, indices from 32768 on become negative, pass the guard row < M and address memory before the arrays.
// first: out_of_bounds overflow
// says: read A[-32768][0], but A has 32800 rows of 1 element
// asks: How large does the index get before it is stored, and what is the largest value of its type?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    short tx = threadIdx.x, ty = threadIdx.y;
    short row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.f;

    for (int first = 0; first < K; first += TILE) {
        As[ty][tx] = (row < M && first + tx < K) ? A[row * K + first + tx] : 0.f;
        Bs[ty][tx] = (first + ty < K && col < N) ? B[(first + ty) * N + col] : 0.f;
        __syncthreads();
        for (short k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
