// cause: the column of B comes from blockIdx.y
// first: wrong_value exchanged
// says: tb[0][0] was filled at line 16, by thread (0,0,0).
// asks: Which row and column of B does line 16 compute there?
#define T 16
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float ta[T][T];
    __shared__ float tb[T][T];
    int i = blockIdx.y * T + threadIdx.y;
    int j = blockIdx.x * T + threadIdx.x;
    float s = 0;
    for (int p = 0; p < K; p += T) {
        int jb = blockIdx.y * T + threadIdx.x;
        ta[threadIdx.y][threadIdx.x] = i < M && p + threadIdx.x < K ? A[i * K + p + threadIdx.x] : 0.f;
        tb[threadIdx.y][threadIdx.x] = jb < N && p + threadIdx.y < K ? B[(p + threadIdx.y) * N + jb] : 0.f;
        __syncthreads();
        for (int k = 0; k < T; k++)
            s += ta[threadIdx.y][k] * tb[k][threadIdx.x];
        __syncthreads();
    }
    if (i < M && j < N) C[i * N + j] = s;
}
