// cause: + binds stronger than <<, so row is blockIdx.y << (4 + threadIdx.y) and column likewise; with blockIdx 0 all threads have row 0 and column 0, most elements are never written.
// first: never_written same_index
// says: Line 28 stores C[row 0, column 0] in each of 256 threads.
// asks: The number of the thread is in the index of line 28, and every thread gets the same one. Which operator takes the number away?
#define TILE 16
#define SHIFT 4          /* 1 << 4 == 16 */

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int row = blockIdx.y << SHIFT + threadIdx.y;
    int col = blockIdx.x << SHIFT + threadIdx.x;
    int lx = threadIdx.x, ly = threadIdx.y;
    float total = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        As[ly][lx] = (row < M && first + lx < K) ? A[row * K + first + lx] : 0.0f;
        Bs[ly][lx] = (first + ly < K && col < N) ? B[(first + ly) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            total += As[ly][k] * Bs[k][lx];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = total;
}
