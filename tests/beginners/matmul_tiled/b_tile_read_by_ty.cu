// cause: the column in the tile of B is threadIdx.y
// first: wrong_value exchanged
// says: multiplies a[0][0] (it holds A[0][0]) by b[0][0] (it holds B[0][0]), both read at line 17.
// asks: Which line has the wrong cell, the one that fills it or the one that reads it?
#define TILE 16
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[TILE][TILE];
    __shared__ float b[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int m = 0; m < K; m += TILE) {
        a[ty][tx] = (row < M && m + tx < K) ? A[row * K + m + tx] : 0;
        b[ty][tx] = (col < N && m + ty < K) ? B[(m + ty) * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += a[ty][k] * b[k][ty];
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = sum;
}
