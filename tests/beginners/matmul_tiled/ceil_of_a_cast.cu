// cause: the quotient is cut off before the cast and ceil
// first: wrong_value rounded_late
// says: that of k = 16. In line 16, ceil gets K/TILE = 17/16 = 1: a quotient of two whole numbers has no fraction left that could be rounded up.
// asks: Which number should it get?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    int turns = ceil((double)(K / TILE));
    for (int t = 0, first = 0; t < turns; t++, first += TILE) {
        As[ty][tx] = row < M && first + tx < K ? A[row * K + first + tx] : 0.0f;
        Bs[ty][tx] = first + ty < K && col < N ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}
