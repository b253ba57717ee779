// cause: one array holds the tile of A, then that of B, which is read by rows
// first: wrong_value exchanged
// says: multiplies s[0][1] (it holds A[0][1]), read at line 16, by s[0][1] (it holds B[0][1]), read at line 20.
// asks: Which line has the wrong cell, the one that fills it or the one that reads it?
#define TILE 16
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float s[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int m = 0; m < (K + TILE - 1) / TILE; m++) {
        s[ty][tx] = (row < M && m * TILE + tx < K) ? A[row * K + m * TILE + tx] : 0;
        __syncthreads();
        float reg[TILE];
        for (int k = 0; k < TILE; k++) reg[k] = s[ty][k];
        __syncthreads();
        s[ty][tx] = (col < N && m * TILE + ty < K) ? B[(m * TILE + ty) * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += reg[k] * s[ty][k];
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = sum;
}
