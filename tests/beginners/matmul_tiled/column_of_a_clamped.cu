// cause: cells of A beyond K repeat the last element, and 0 times infinity is NaN
// first: wrong_value special_nan
// says: The wrong elements are NaN. Of the factors of
// asks: On which line does a NaN arise, or come in from another row or column?
#define T 16
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float s[T][T], t[T][T];
    int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float sum = 0;
    for (int b = 0; b < K; b += T) {
        s[ty][tx] = A[min(r, M - 1) * K + min(b + tx, K - 1)];
        t[ty][tx] = b + ty < K && c < N ? B[(b + ty) * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; k++) sum += s[ty][k] * t[k][tx];
        __syncthreads();
    }
    if (r < M && c < N) C[r * N + c] = sum;
}
