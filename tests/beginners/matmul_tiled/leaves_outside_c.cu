// cause: Threads outside of C return before the barriers (line 20).
// first: early_exit
// says: 255 threads of the block left at line 20 (the first is (1,0,0)); only one goes on to the barrier at line 25 without them
// asks: Which threads left before the barrier? Which cells of the tiles were theirs to load?
#define TS 16

// element (r, c) of a rows x cols matrix, 0 outside
__device__ float element(const float *m, int r, int c, int rows, int cols)
{
    if (r >= rows || c >= cols)
        return 0.0f;
    return m[r * cols + c];
}

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tileA[TS][TS], tileB[TS][TS];
    int ii = threadIdx.y + blockIdx.y * TS;
    int col = threadIdx.x + blockIdx.x * TS;
    if (ii >= M || col >= N) return;
    float dot = 0;
    for (int ph = 0; ph < K; ph += TS) {
        tileA[threadIdx.y][threadIdx.x] = element(A, ii, ph + threadIdx.x, M, K);
        tileB[threadIdx.y][threadIdx.x] = element(B, ph + threadIdx.y, col, K, N);
        __syncthreads();
        int left = min(TS, K - ph);
        for (int k = 0; k < left; k++)
            dot += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];
        __syncthreads();
    }
    if (ii < M && col < N)
        C[ii * N + col] = dot;
}
