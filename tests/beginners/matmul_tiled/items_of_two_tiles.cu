// cause: the constant asks for a block for every 32 columns, but each block computes 16
// first: never_written items_xy
// says: Because of line 7, there is a block for every 32 columns and 16 rows of C.
// asks: For how many columns and rows does the lab start one block, and how many of each does a block of this kernel store?
#define TILE 16

extern "C" __constant__ int matmul_tiled_items[2] = {2 * TILE, TILE};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        As[ty][tx] = row < M && first + tx < K ? A[row * K + first + tx] : 0.0f;
        Bs[ty][tx] = first + ty < K && col < N ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}
