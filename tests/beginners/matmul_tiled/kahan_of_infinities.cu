// cause: `lost = (t - sum) - y;`: compensated (Kahan) summation turns an infinite product into inf - inf, so the next turn makes NaN where the sum should stay an infinity (20 x 36 x 24, special values).
// first: wrong_value special_nan
// says: The wrong elements are NaN. Of the factors of C[0][13], B[23][13] is -inf. Infinity times 0 is NaN, and so is infinity minus infinity. On which line does a NaN arise, or come in from another row or column?
// asks: On which line does a NaN arise, or come in from another row or column?
/* Lab 05. Kahan summation keeps the small digits that a float would drop. */
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    float lost = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        int ac = first + threadIdx.x;
        int br = first + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = (row < M && ac < K) ? A[row * K + ac] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (br < K && column < N) ? B[br * N + column] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++) {
            float y = As[threadIdx.y][k] * Bs[k][threadIdx.x] - lost;
            float t = sum + y;
            lost = (t - sum) - y;
            sum = t;
        }
        __syncthreads();
    }

    if (row < M && column < N)
        C[row * N + column] = sum;
}
