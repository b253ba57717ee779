// expect: pass - blocks of 8 x 8 by the KERNEL_block constant; tile size as a template argument
extern "C" __constant__ int matmul_tiled_block[3] = {8, 8, 1};

__device__ float load_or_zero(const float *matrix, int row, int col, int rows, int cols)
{
    return row < rows && col < cols ? matrix[(size_t)row * cols + col] : 0.0f;
}

template <int T>
__device__ void product(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[T][T];
    __shared__ float Bs[T][T];
    int row = blockIdx.y * T + threadIdx.y;
    int col = blockIdx.x * T + threadIdx.x;
    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += T) {
        As[threadIdx.y][threadIdx.x] = load_or_zero(A, row, k0 + threadIdx.x, M, K);
        Bs[threadIdx.y][threadIdx.x] = load_or_zero(B, k0 + threadIdx.y, col, K, N);
        __syncthreads();
        for (int k = 0; k < T; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < M && col < N)
        C[(size_t)row * N + col] = sum;
}

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    product<8>(A, B, C, M, N, K);
}
