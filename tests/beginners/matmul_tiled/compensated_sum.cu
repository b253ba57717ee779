// cause: Line 28: the compensated (Kahan) sum computes (t - sum) - y, which is NaN (infinity minus infinity) as soon as a product is infinite, so elements of C that must be infinite become NaN in the test with special values.
// first: wrong_value special_nan
// says: The wrong elements are NaN. Of the factors of C[0][13], B[23][13] is -inf. Infinity times 0 is NaN, and so is infinity minus infinity. On which line does a NaN arise, or come in from another row or column?
// asks: On which line does a NaN arise, or come in from another row or column?
#define TILE 16

// Kahan summation, for better precision than a plain float sum (numerics lecture)
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    float sum = 0.0f;
    float comp = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        int ka = first + threadIdx.x;
        int kb = first + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = (row < M && ka < K) ? A[row * K + ka] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (kb < K && col < N) ? B[kb * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++) {
            float y = As[threadIdx.y][k] * Bs[k][threadIdx.x] - comp;
            float t = sum + y;
            comp = (t - sum) - y;
            sum = t;
        }
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
