// one block of 16 x 16 threads computes everything
extern "C" __constant__ int matmul_tiled_items[2] = {65536, 65536};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    for (int row = threadIdx.y; row < M; row += 16)
        for (int column = threadIdx.x; column < N; column += 16) {
            float sum = 0.0f;
            for (int k = 0; k < K; k++)
                sum += A[row * K + k] * B[k * N + column];
            C[row * N + column] = sum;
        }
}
