// cause: `A[...] * inA` and `B[...] * inB`: the cells beyond K hold the clamped last element times 0 instead of 0, and an infinity in the last column of A or the last row of B times 0 is NaN, which spoils the sums (20 x 36 x 24, special values).
// first: wrong_value special_nan
// says: Line 23 multiplies an element by the condition inA = (float)(ka < K): where that is false, it is multiplied by 0.
// asks: On which line does a NaN arise, or come in from another row or column?
/* Lab 05 without branches: indices are clamped, and a factor of 0 or 1 switches the cells off */
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    int r = min(row, M - 1);
    int c = min(col, N - 1);
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        int ka = first + threadIdx.x;
        int kb = first + threadIdx.y;
        float inA = (float)(ka < K);
        float inB = (float)(kb < K);
        As[threadIdx.y][threadIdx.x] = A[r * K + min(ka, K - 1)] * inA;
        Bs[threadIdx.y][threadIdx.x] = B[min(kb, K - 1) * N + c] * inB;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
