// cause: does not compile: A, B and C are used with two subscripts, but they are float pointers, so the second subscript is applied to a float.
// first: compile pointer
// says: A has fewer dimensions than there are brackets.
// asks:
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0;

    for (int first = 0; first < K; first += TILE) {
        if (row < M && first + tx < K)
            As[ty][tx] = A[row][first + tx];
        else
            As[ty][tx] = 0;

        if (first + ty < K && col < N)
            Bs[ty][tx] = B[first + ty][col];
        else
            Bs[ty][tx] = 0;

        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row][col] = sum;
}
