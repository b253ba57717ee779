/* Matrix product with tiles in shared memory: C = A * B.
 *
 * Contract   A has M rows and K columns, B has K rows and N columns, C has M rows and N columns, all float, row by row.
 *            Afterwards C[row*N + column] is the sum of A[row*K + k] * B[k*N + column] over k from 0 to K-1.
 *            M, N and K are any numbers from 1 up, not just multiples of 16. A, B and C do not overlap; C starts as rubbish.
 * Launch     one launch, blocks of 16 x 16 threads, x along the N columns, y along the M rows, enough blocks to cover C.
 * Run        build/lockstep grade matmul_tiled
 * Read       handouts/matmul_tiled.md
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    // Declare two tiles, __shared__ float As[TILE][TILE] and Bs likewise, and find your row and column of C.
    // --- your code ---
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    // --- end ---

    for (int first = 0; first < K; first += TILE) {
        // Load one element of A's tile and one of B's. Cells beyond an edge of the matrix need a value that changes nothing.
        // --- your code ---
        int a_column = first + threadIdx.x;
        int b_row = first + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = row < M && a_column < K ? A[(size_t)row * K + a_column] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = b_row < K && column < N ? B[(size_t)b_row * N + column] : 0.0f;
        __syncthreads();    // both tiles are complete
        // --- end ---

        // Multiply the two tiles. What must every thread have finished before the next turn overwrites them?
        // --- your code ---
        for (int k = 0; k < TILE; k++) {
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        }
        __syncthreads();    // no thread reads these tiles any more
        // --- end ---
    }

    // Store the element, if C has it.
    // --- your code ---
    if (row < M && column < N) {
        C[(size_t)row * N + column] = sum;
    }
    // --- end ---
}
