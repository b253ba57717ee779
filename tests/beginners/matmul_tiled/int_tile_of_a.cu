// cause: As is an array of int, so the elements of A lose their fractions
// first: wrong_value typed
// says: Line 9 declares As as int: a fraction that is stored there is lost.
// asks: What becomes of a fraction, or of a negative number, on its way?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int first = 0; first < K; first += TILE) {
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
