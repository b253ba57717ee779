// cause: the tiles are set to zero once before the loop only, so in the last tile the cells beyond K keep the elements of the tile before (the loads in lines 23 and 25 have no else) and these are added again when K is not a multiple of 16 and K > 16.
// first: wrong_value edge
// says: no line has stored anything in these cells since line 23 and line 25 filled them.
// asks: What should these cells hold where the tile reaches beyond the matrix?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int ty = threadIdx.y, tx = threadIdx.x;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    // shared memory is not zero at the start
    As[ty][tx] = 0.0f;
    Bs[ty][tx] = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        if (row < M && first + tx < K)
            As[ty][tx] = A[row * K + (first + tx)];
        if (first + ty < K && col < N)
            Bs[ty][tx] = B[(first + ty) * N + col];
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    // Store the element, if C has it.
    if (row < M && col < N)
        C[row * N + col] = sum;
}
