// cause: cells that have no element in the last turn keep those of the turn before
// first: wrong_value edge
// says: no line has stored anything in these cells since line 18 and line 20 filled them.
// asks: What should these cells hold where the tile reaches beyond the matrix?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE * TILE], Bs[TILE * TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    As[ty * TILE + tx] = Bs[ty * TILE + tx] = 0;
    for (int first = 0; first < K; first += TILE) {
        if (row < M && first + tx < K)
            As[ty * TILE + tx] = A[row * K + first + tx];
        if (first + ty < K && col < N)
            Bs[ty * TILE + tx] = B[(first + ty) * N + col];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[ty * TILE + k] * Bs[k * TILE + tx];
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}
