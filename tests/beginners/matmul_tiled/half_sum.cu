// cause: the sum is a __half
// first: wrong_value digits
// says: This is the result with the sum, after each product, rounded to 11 bits, as a __half keeps them.
// asks: Which line does that?
#include <cuda_fp16.h>
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int col = blockIdx.x * 16 + threadIdx.x;
    int row = blockIdx.y * 16 + threadIdx.y;
    __shared__ float ta[16][16], tb[16][16];
    __half acc = __float2half(0.0f);
    for (int t = 0; t < (K + 15) / 16; t++) {
        int ka = t * 16 + threadIdx.x, kb = t * 16 + threadIdx.y;
        ta[threadIdx.y][threadIdx.x] = (row < M && ka < K) ? A[row * K + ka] : 0.0f;
        tb[threadIdx.y][threadIdx.x] = (col < N && kb < K) ? B[kb * N + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < 16; i++)
            acc = __float2half(__half2float(acc) + ta[threadIdx.y][i] * tb[i][threadIdx.x]);
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = __half2float(acc);
}
