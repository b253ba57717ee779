// cause: Lines 12-13: the tiles hold 16-bit floats (__half), which keep only 11 bits of each element, so the sums are far less exact than the bound allows.
// first: wrong_value digits
// says: This is the result with every element of A and B rounded to 11 bits, as a __half keeps them.
// asks: Which line does that?
#include <cuda_fp16.h>

#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    // half the shared memory, half the bank traffic
    __shared__ __half As[TILE][TILE];
    __shared__ __half Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        float a = row < M && first + tx < K ? A[row * K + first + tx] : 0.0f;
        float b = first + ty < K && col < N ? B[(first + ty) * N + col] : 0.0f;
        As[ty][tx] = __float2half(a);
        Bs[ty][tx] = __float2half(b);
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            sum += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
