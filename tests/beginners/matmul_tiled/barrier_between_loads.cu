// cause: the first barrier stands between the loads of A and of B, so no barrier separates the stores into Bs (line 22) from the reads of it in line 25 (race in shared memory).
// first: race_shared
// says: (line 22); no barrier between them.
// asks: Which two lines use the same cell? What must every thread have finished before the second one may start?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a_s[TILE][TILE];
    __shared__ float b_s[TILE][TILE];
    int lx = threadIdx.x;
    int ly = threadIdx.y;
    int gx = blockIdx.x * blockDim.x + lx;
    int gy = blockIdx.y * blockDim.y + ly;
    float dot = 0.0f;

    for (int off = 0; off < K; off += TILE) {
        // tile of A
        a_s[ly][lx] = (gy < M && off + lx < K) ? A[gy * K + off + lx] : 0.0f;
        __syncthreads();
        // tile of B
        b_s[ly][lx] = (gx < N && off + ly < K) ? B[(off + ly) * N + gx] : 0.0f;

        for (int k = 0; k < TILE; k++)
            dot += a_s[ly][k] * b_s[k][lx];
        __syncthreads();
    }

    if (gx < N && gy < M)
        C[gy * N + gx] = dot;
}
