// cause: the sum of the second column multiplies the cells of the first column, a slip in copying
// first: wrong_value exchanged
// says: multiplies As[0][0] (it holds A[0][0]) by Bs[0][0] (it holds B[0][0]), both read at line 26.
// asks: Which line has the wrong cell, the one that fills it or the one that reads it?
#define TILE 16
extern "C" __constant__ int matmul_tiled_items[2] = {2 * TILE, TILE};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][2 * TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int left = blockIdx.x * 2 * TILE + tx;
    int right = left + TILE;
    float first = 0.0f;
    float second = 0.0f;

    for (int k0 = 0; k0 < K; k0 += TILE) {
        As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
        Bs[ty][tx] = k0 + ty < K && left < N ? B[(k0 + ty) * N + left] : 0.0f;
        Bs[ty][tx + TILE] = k0 + ty < K && right < N ? B[(k0 + ty) * N + right] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            first += As[ty][k] * Bs[k][tx];
            second += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
    }
    if (row < M && left < N)
        C[row * N + left] = first;
    if (row < M && right < N)
        C[row * N + right] = second;
}
