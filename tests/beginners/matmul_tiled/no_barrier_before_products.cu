// cause: No barrier between loading and multiplying (line 22).
// first: race_shared
// says: shared array sb[0][2][0] read by thread (0,0,0) (line 24) and written by thread (0,2,0) (line 22); no barrier between them.
// asks: Which two lines use the same cell? What must every thread have finished before the second one may start?
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
        if (i < M && ak < K) va = A[i * K + ak];
        if (bk < K && j < N) vb = B[bk * N + j];
        sa[p][threadIdx.y][threadIdx.x] = va;
        sb[p][threadIdx.y][threadIdx.x] = vb;
        for (int k = 0; k < W; k++)
            s = fmaf(sa[p][threadIdx.y][k], sb[p][k][threadIdx.x], s);
        p = 1 - p;
    }
    if (i < M && j < N)
        C[i * N + j] = s;
}
