// cause: row M passes the guard, and a pointer leads to that row of A
// first: out_of_bounds guarded
// says: read A[1][0], but A has 1 row of 1 element
// asks: Which row and which column did the thread want, and which condition let it through?
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
    const float *row = A + r * K;
    float s = 0;
    if (r > M || c >= N) return;
    for (int k = 0; k < K; ++k)
        s += row[k] * B[k * N + c];
    C[r * N + c] = s;
}
