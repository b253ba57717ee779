// cause: multiplies A by itself
// first: wrong_value unused
// says: Nothing that is read from B reaches the result.
// asks: Which line should use B?
#define T 16
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float sa[T][T];
    __shared__ float sb[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float v = 0;
    for (int t = 0; t < (K + T - 1) / T; ++t) {
        sa[ty][tx] = r < M && t * T + tx < K ? A[r * K + t * T + tx] : 0;
        sb[ty][tx] = c < N && t * T + ty < K ? B[(t * T + ty) * N + c] : 0;
        __syncthreads();
        for (int k = 0; k < T; ++k)
            v += sa[ty][k] * sa[ty][k];
        __syncthreads();
    }
    if (r < M && c < N) C[r * N + c] = v;
}
