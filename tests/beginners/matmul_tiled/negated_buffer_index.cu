// cause: The buffers are never exchanged (p stays 0), so with a single barrier per turn a fast thread overwrites the tiles in use (line 26).
// first: race_shared same_part
// says: p, the first index of sb, is set in line 14 and never changes: line 25 uses the same part in every turn.
// asks: Which part of the array should this turn use, and which one the next? Which line changes that?
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
        __syncthreads();
        for (int k = 0; k < W; k++)
            s = fmaf(sa[p][threadIdx.y][k], sb[p][k][threadIdx.x], s);
        p = -p;
    }
    if (i < M && j < N)
        C[i * N + j] = s;
}
