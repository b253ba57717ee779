// cause: Lines 17-18: the tiles are set to 0 only once, before the loop over the tiles; in the last partial tile the cells beyond K keep the elements of the tile before, and their products are added again.
// first: wrong_value edge
// says: a second time, at line 29: no line has stored anything in these cells since line 23 and line 25 filled them.
// asks: What should these cells hold where the tile reaches beyond the matrix?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int i = threadIdx.y, j = threadIdx.x;
    int row = blockIdx.y * TILE + i;
    int col = blockIdx.x * TILE + j;
    float sum = 0.0f;

    // padding
    As[i][j] = 0.0f;
    Bs[i][j] = 0.0f;
    __syncthreads();

    for (int first = 0; first < K; first += TILE) {
        if (row < M && first + j < K)
            As[i][j] = A[row * K + first + j];
        if (first + i < K && col < N)
            Bs[i][j] = B[(first + i) * N + col];
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            sum += As[i][k] * Bs[k][j];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
