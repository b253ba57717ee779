// expect: pass - two barriers more than any conflict needs: right, and a note says which
#define TILE 16
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int tile = 0; tile < (K + TILE - 1) / TILE; tile++) {
        int a = tile * TILE + threadIdx.x, b = tile * TILE + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = row < M && a < K ? A[row * K + a] : 0.0f;
        __syncthreads();   // needless
        Bs[threadIdx.y][threadIdx.x] = b < K && column < N ? B[b * N + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    __syncthreads();   // needless
    if (row < M && column < N)
        C[row * N + column] = sum;
}
