// expect: pass - cells beyond the edge are left as they are, and never multiplied
#define TILE 16
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    bool mine = row < M && col < N;
    float sum = 0;
    for (int first = 0; first < K; first += TILE) {
        if (row < M && first + tx < K)
            As[ty][tx] = A[row * K + first + tx];
        if (col < N && first + ty < K)
            Bs[ty][tx] = B[(first + ty) * N + col];
        __syncthreads();
        if (mine)
            for (int k = 0; k < TILE && first + k < K; k++)
                sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (mine)
        C[row * N + col] = sum;
}
