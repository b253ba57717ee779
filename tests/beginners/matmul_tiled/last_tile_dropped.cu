// cause: The loop condition first + TILE < K instead of first < K drops the last tile, also a full one (line 15).
// first: wrong_value tail
// says: The last product of every sum is missing, that of k = 16. Line 16 is in the loop of line 15: for (int ph = 0; ph + TS < K; ph += TS). In thread (0,0,0) of block (0,0,0), ph grows by TS = 16. Does the loop over the tiles, or the one over k, end too early?
// asks: Does the loop over the tiles, or the one over k, end too early?
#define TS 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TS][TS];
    __shared__ float sB[TS][TS];
    int x_ = threadIdx.x, cy = threadIdx.y;
    int ii = blockIdx.y * TS + cy;
    int col = blockIdx.x * TS + x_;
    float acc = 0.0f;
    for (int ph = 0; ph + TS < K; ph += TS) {
        As[cy][x_] = ii < M && ph + x_ < K ? A[ii * K + ph + x_] : 0.0f;
        sB[cy][x_] = ph + cy < K && col < N ? B[(ph + cy) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TS; k++)
            acc += As[cy][k] * sB[k][x_];
        __syncthreads();
    }
    if (ii < M && col < N)
        C[ii * N + col] = acc;
}
