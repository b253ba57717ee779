// cause: products that are infinite or NaN are left out of the sum, so with special values C gets a finite number where the contract asks for the infinity or NaN.
// first: wrong_value special
// says: Line 27 asks isfinite(product).
// asks: What does the kernel make of such a number?
#include <math.h>
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int ty = threadIdx.y;
    int tx = threadIdx.x;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        int k1 = first + tx, k2 = first + ty;
        As[ty][tx] = (row < M && k1 < K) ? A[row * K + k1] : 0.0f;
        Bs[ty][tx] = (col < N && k2 < K) ? B[k2 * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++) {
            float product = As[ty][k] * Bs[k][tx];
            // inf and nan would ruin the whole sum
            if (isfinite(product))
                sum += product;
        }
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
