// cause: `As[ty][tx] = 0.0f; Bs[ty][tx] = 0.0f;` stands before the loop, so in the last turn the cells beyond K are not 0 but still hold the elements of the tile before, whose products are added once more (K = 17).
// first: wrong_value edge
// says: The thread that stores it multiplies As[0][1] (it holds A[0][1]) by Bs[1][0] (it holds B[1][0]) a second time, at line 30: no line has stored anything in these cells since line 24 and line 26 filled them.
// asks: What should these cells hold where the tile reaches beyond the matrix?
/* Lab 05: zeros first, then load what the matrices have */
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    // cells beyond the edges add nothing
    As[ty][tx] = 0.0f;
    Bs[ty][tx] = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        if (row < M && first + tx < K)
            As[ty][tx] = A[row * K + first + tx];
        if (first + ty < K && col < N)
            Bs[ty][tx] = B[(first + ty) * N + col];
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
