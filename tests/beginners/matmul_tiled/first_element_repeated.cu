// cause: cells beyond K repeat the first element
// first: wrong_value edge
// says: C[0][0] contains 15 x A[0][0] and 15 x B[0][0]. The last tile reaches 15 cells beyond column 16 of A.
// asks: What do these cells hold?
#define T 16
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float ta[T][T];
    __shared__ float tb[T][T];
    int i = blockIdx.y * T + threadIdx.y;
    int j = blockIdx.x * T + threadIdx.x;
    float s = 0;
    for (int p = 0; p < K; p += T) {
        int ka = p + threadIdx.x, kb = p + threadIdx.y;
        if (ka >= K) ka = 0;
        if (kb >= K) kb = 0;
        ta[threadIdx.y][threadIdx.x] = i < M ? A[i * K + ka] : 0.f;
        tb[threadIdx.y][threadIdx.x] = j < N ? B[kb * N + j] : 0.f;
        __syncthreads();
        for (int k = 0; k < T; k++)
            s += ta[threadIdx.y][k] * tb[k][threadIdx.x];
        __syncthreads();
    }
    if (i < M && j < N) C[i * N + j] = s;
}
