// cause: The guard of A asks row < N instead of row < M, the matrix has M rows (line 19).
// first: out_of_bounds guarded
// says: read A[15][0], but A has 15 rows of 33 elements
// asks: Which row and which column did the thread want, and which condition let it through?
// two pairs of tiles in turn: one barrier per turn is enough
#define W 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float sa[2][W][W];
    __shared__ float sb[2][W][W];
    int i = blockIdx.y * W + threadIdx.y;
    int j = blockIdx.x * W + threadIdx.x;
    int p = 0;
    float s = 0;
    for (int k0 = 0; k0 < K; k0 += W) {
        int ak = k0 + threadIdx.x, bk = k0 + threadIdx.y;
        float va = 0, vb = 0;
        if (i < N && ak < K) va = A[i * K + ak];
        if (bk < K && j < N) vb = B[bk * N + j];
        sa[p][threadIdx.y][threadIdx.x] = va;
        sb[p][threadIdx.y][threadIdx.x] = vb;
        __syncthreads();
        for (int k = 0; k < W; k++)
            s = fmaf(sa[p][threadIdx.y][k], sb[p][k][threadIdx.x], s);
        p = 1 - p;
    }
    if (i < M && j < N)
        C[i * N + j] = s;
}
