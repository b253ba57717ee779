// cause: Line 7: TILE was changed to 32 but the launch still uses 16 x 16 threads, so three quarters of each tile are never filled and the blocks lie 32 apart and leave parts of C unwritten.
// first: uninitialized shared
// says: As[0][16], which was never written: it is read at line 26 and goes into the result at line 32. In this block, only the cells 0 to 15 of As[0] get a first value, at line 20.
// asks: Which cells of the tile did no thread fill in this turn?
/* Lab 05: matrix product with tiles in shared memory: C = A * B. */

#define TILE 32     // bigger tiles = fewer loads

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    // Declare two tiles
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        // Load one element of A's tile and one of B's.
        As[threadIdx.y][threadIdx.x] = row < M && first + threadIdx.x < K ? A[row * K + first + threadIdx.x] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = first + threadIdx.y < K && column < N ? B[(first + threadIdx.y) * N + column] : 0.0f;
        __syncthreads();

        // Multiply the two tiles.
        for (int k = 0; k < TILE; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }

    // Store the element, if C has it.
    if (row < M && column < N)
        C[row * N + column] = sum;
}
