// cause: cells beyond the edge hold an element times 0, which is NaN for an infinite one
// first: wrong_value special_nan
// says: Infinity times 0 is NaN, and so is infinity minus infinity.
// asks: On which line does a NaN arise, or come in from another row or column?
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int col = blockIdx.x * 16 + threadIdx.x;
    int row = blockIdx.y * 16 + threadIdx.y;
    __shared__ float ta[16][16], tb[16][16];
    float acc = 0;
    for (int t = 0; t < K; t += 16) {
        int ka = t + threadIdx.x, kb = t + threadIdx.y;
        int ra = min(row, M - 1), ca = min(ka, K - 1), rb = min(kb, K - 1), cb = min(col, N - 1);
        ta[threadIdx.y][threadIdx.x] = A[ra * K + ca] * (row < M && ka < K);
        tb[threadIdx.y][threadIdx.x] = B[rb * N + cb] * (col < N && kb < K);
        __syncthreads();
        for (int i = 0; i < 16; i++)
            acc += ta[threadIdx.y][i] * tb[i][threadIdx.x];
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = acc;
}
