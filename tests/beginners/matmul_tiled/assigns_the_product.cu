// cause: = where += belongs
// first: wrong_value missing
// says: A[0][0..14] are missing in C[0][0], which has only A[0][15].
// asks: Which line adds the products, and what becomes there of those before?
#define T 16
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float ta[T][T];
    __shared__ float tb[T][T];
    int i = blockIdx.y * T + threadIdx.y;
    int j = blockIdx.x * T + threadIdx.x;
    float s = 0;
    for (int p = 0; p < K; p += T) {
        ta[threadIdx.y][threadIdx.x] = i < M && p + threadIdx.x < K ? A[i * K + p + threadIdx.x] : 0.f;
        tb[threadIdx.y][threadIdx.x] = j < N && p + threadIdx.y < K ? B[(p + threadIdx.y) * N + j] : 0.f;
        __syncthreads();
        for (int k = 0; k < T; k++)
            s = ta[threadIdx.y][k] * tb[k][threadIdx.x];
        __syncthreads();
    }
    if (i < M && j < N) C[i * N + j] = s;
}
