// 16 blocks of 16 x 16 threads for the timing case
extern "C" __constant__ int matmul_tiled_items[2] = {256, 256};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    for (int y = threadIdx.y; y < 256; y += 16)
        for (int x = threadIdx.x; x < 256; x += 16) {
            int row = blockIdx.y * 256 + y, column = blockIdx.x * 256 + x;
            if (row >= M || column >= N)
                continue;
            float sum = 0.0f;
            for (int k = 0; k < K; k++)
                sum += A[row * K + k] * B[k * N + column];
            C[row * N + column] = sum;
        }
}
