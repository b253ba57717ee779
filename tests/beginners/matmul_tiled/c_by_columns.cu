// cause: C is stored column by column, as MATLAB and Fortran do.
// first: wrong_value transposed
// says: What belongs to C[i][j] lies where a matrix that is stored column by column has it, at i + j*M.
// asks: How far apart are C[0][0] and C[0][1] in the index that the kernel computes, and how far should they be?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[TILE][TILE];
    __shared__ float b[TILE][TILE];
    int i = blockIdx.y * TILE + threadIdx.y;
    int j = blockIdx.x * TILE + threadIdx.x;
    float cij = 0.0f;

    for (int p = 0; p < K; p += TILE) {
        a[threadIdx.y][threadIdx.x] = (i < M && p + threadIdx.x < K) ? A[i * K + p + threadIdx.x] : 0.0f;
        b[threadIdx.y][threadIdx.x] = (j < N && p + threadIdx.y < K) ? B[(p + threadIdx.y) * N + j] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            cij += a[threadIdx.y][k] * b[k][threadIdx.x];
        __syncthreads();
    }

    if (i < M && j < N)
        C[i + j * M] = cij;
}
