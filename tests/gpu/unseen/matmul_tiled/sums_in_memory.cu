// adds every product to C in memory
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && column < N) {
        C[row * N + column] = 0.0f;
        for (int k = 0; k < K; k++)
            C[row * N + column] += A[row * K + k] * B[k * N + column];
    }
}
