// page: matmul_tiled.md
// says: 0 in one of them is not enough
// expect: wrong_value
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    // Declare two tiles, __shared__ float As[TILE][TILE] and Bs likewise, and find your row and column of C.
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        // Load one element of A's tile and one of B's. Cells beyond an edge of the matrix need a value that changes nothing.
        int a_column = first + threadIdx.x;
        int b_row = first + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = row < M && a_column < K ? A[(size_t)row * K + a_column] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = B[(size_t)min(b_row, K - 1) * N + min(column, N - 1)];
        __syncthreads();    // both tiles are complete

        // Multiply the two tiles. What must every thread have finished before the next turn overwrites them?
        for (int k = 0; k < TILE; k++) {
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        }
        __syncthreads();    // no thread reads these tiles any more
    }

    // Store the element, if C has it.
    if (row < M && column < N) {
        C[(size_t)row * N + column] = sum;
    }
}
