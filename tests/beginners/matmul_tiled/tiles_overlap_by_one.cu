// cause: first advances by TILE - 1, so the last k of a tile is also the first of the next and counts twice
// first: wrong_value multiple
// says: Besides what belongs there, C[0][0] contains A[0][15].
// asks: Where is it counted again: in another line, in another turn of a loop, or in another thread?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int first = 0; first < K; first += TILE - 1) {
        As[ty][tx] = row < M && first + tx < K ? A[row * K + first + tx] : 0;
        Bs[ty][tx] = first + ty < K && column < N ? B[(first + ty) * N + column] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < M && column < N)
        C[row * N + column] = sum;
}
