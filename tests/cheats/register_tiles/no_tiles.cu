// expect: at most 60 - each thread reads a row of A and a column of B from global memory
extern "C" __global__ void register_tiles(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && column < N) {
        float sum = 0;
        for (int k = 0; k < K; k++)
            sum += A[(size_t)row * K + k] * B[(size_t)k * N + column];
        C[(size_t)row * N + column] = sum;
    }
}
