// without tiles, sums in double
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && column < N) {
        double sum = 0.0;
        for (int k = 0; k < K; k++)
            sum += (double)A[row * K + k] * B[k * N + column];
        C[row * N + column] = (float)sum;
    }
}
