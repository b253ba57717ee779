// cause: || lets a thread through that is outside in one direction
// first: out_of_bounds guarded
// says: write C[0][1], but C has 1 row of 1 element
// asks: Which row and which column did the thread want, and which condition let it through?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float ta[TILE][TILE], tb[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int m = blockIdx.y * TILE + y;
    int n = blockIdx.x * TILE + x;
    float sum = 0.0f;

    for (int k0 = 0; k0 < K; k0 += TILE) {
        ta[y][x] = 0.0f;
        tb[y][x] = 0.0f;
        if (m < M && k0 + x < K) ta[y][x] = A[m * K + k0 + x];
        if (n < N && k0 + y < K) tb[y][x] = B[(k0 + y) * N + n];
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += ta[y][k] * tb[k][x];
        __syncthreads();
    }

    if (m < M || n < N) {
        C[m * N + n] = sum;
    }
}
