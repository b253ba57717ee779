// each thread computes 64 neighbouring elements of a row
extern "C" __constant__ int matmul_tiled_items[2] = {1024, 16};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * 16 + threadIdx.y;
    int first = (blockIdx.x * 16 + threadIdx.x) * 64;
    for (int column = first; column < first + 64 && column < N && row < M; column++) {
        float sum = 0.0f;
        for (int k = 0; k < K; k++)
            sum += A[row * K + k] * B[k * N + column];
        C[row * N + column] = sum;
    }
}
