// cause: `__device__ float tileA[TILE][TILE];` and tileB lie in global memory, one copy for the whole grid, so all blocks fill and read the same tiles at the same time: race in global memory as soon as there are two blocks.
// first: race_global one_array
// says: blockIdx is not in the index, so every block uses the same elements
// asks: How many arrays tileA are there for all blocks together, and which elements of it does each block use?
/* Lab 05: the tiles are declared up here, so that the helper functions see them, too */
#define TILE 16

__device__ float tileA[TILE][TILE];
__device__ float tileB[TILE][TILE];

__device__ void fill(const float *A, const float *B, int row, int col, int first, int M, int N, int K)
{
    int ka = first + threadIdx.x;
    int kb = first + threadIdx.y;
    tileA[threadIdx.y][threadIdx.x] = (row < M && ka < K) ? A[row * K + ka] : 0.0f;
    tileB[threadIdx.y][threadIdx.x] = (kb < K && col < N) ? B[kb * N + col] : 0.0f;
}

__device__ float multiply(float sum)
{
    for (int k = 0; k < TILE; k++)
        sum += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];
    return sum;
}

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        fill(A, B, row, col, first, M, N, K);
        __syncthreads();
        sum = multiply(sum);
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}
