// cause: Line 30: C is stored column by column (col * M + row), but it must be stored row by row.
// first: wrong_value transposed
// says: What belongs to C[i][j] lies where a matrix that is stored column by column has it, at i + j*M.
// asks: How far apart are C[0][0] and C[0][1] in the index that the kernel computes, and how far should they be?
#define BLOCK_SIZE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float subA[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float subB[BLOCK_SIZE][BLOCK_SIZE];

    const int row = blockIdx.y * BLOCK_SIZE + threadIdx.y;
    const int col = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    float Cvalue = 0.0f;

    for (int m = 0; m * BLOCK_SIZE < K; ++m) {
        const int ka = m * BLOCK_SIZE + threadIdx.x;
        const int kb = m * BLOCK_SIZE + threadIdx.y;

        subA[threadIdx.y][threadIdx.x] = (row < M && ka < K) ? A[row * K + ka] : 0.0f;
        subB[threadIdx.y][threadIdx.x] = (kb < K && col < N) ? B[kb * N + col] : 0.0f;
        __syncthreads();

        for (int e = 0; e < BLOCK_SIZE; ++e)
            Cvalue += subA[threadIdx.y][e] * subB[e][threadIdx.x];
        __syncthreads();
    }

    if (row < M && col < N)
        C[col * M + row] = Cvalue;
}
