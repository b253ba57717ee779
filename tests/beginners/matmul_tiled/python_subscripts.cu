// cause: Lines 17, 18 and 21: As[ty, tx] is Python's notation; in C the comma operator makes it As[tx], a whole row (an array), to which no float can be assigned: does not compile.
// first: compile comma_index
// says: The comma between these brackets is an operator: As[ty, tx] means As[tx].
// asks:
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float total = 0.0;

    for (int first = 0; first < K; first += TILE) {
        As[ty, tx] = (row < M and first + tx < K) ? A[row * K + first + tx] : 0.0;
        Bs[ty, tx] = (first + ty < K and col < N) ? B[(first + ty) * N + col] : 0.0;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            total += As[ty, k] * Bs[k, tx];
        __syncthreads();
    }
    if (row < M and col < N)
        C[row * N + col] = total;
}
