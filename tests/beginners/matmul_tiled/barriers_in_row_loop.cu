// cause: `for (int row = blockIdx.y * TILE + ty; row < M; row += gridDim.y * TILE)` has the barriers inside: threads whose row is beyond M never enter it and do not reach the barriers of the others, nor load their part of B's tile, when M is not a multiple of 16.
// first: early_exit passed_by
// says: Line 20 is in the loop of line 17: each turn needs every thread.
// asks: Some threads reach the end of the kernel, but never this barrier. What is around the barrier, or before it, that keeps them away?
/* Lab 05, as a grid-stride loop over the rows: works with any grid */
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * TILE + tx;

    for (int row = blockIdx.y * TILE + ty; row < M; row += gridDim.y * TILE) {
        float sum = 0.0f;
        for (int first = 0; first < K; first += TILE) {
            As[ty][tx] = first + tx < K ? A[row * K + first + tx] : 0.0f;
            Bs[ty][tx] = first + ty < K && col < N ? B[(first + ty) * N + col] : 0.0f;
            __syncthreads();
            for (int k = 0; k < TILE; k++)
                sum += As[ty][k] * Bs[k][tx];
            __syncthreads();
        }
        if (col < N)
            C[row * N + col] = sum;
    }
}
