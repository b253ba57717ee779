/* Matrix product with tiles in registers: C = A * B.
 *
 * Contract   A has M rows and K columns, B has K rows and N columns, C has M rows and N columns, all float, row by row.
 *            Afterwards C[row*N + column] is the sum of A[row*K + k] * B[k*N + column] over k from 0 to K-1.
 *            M, N and K are any numbers from 1 up. A, B and C do not overlap; C starts as rubbish.
 * Launch     one launch, blocks of 16 x 16 threads, x along the N columns, y along the M rows. A block computes 64 x 64
 *            elements of C, each thread 4 x 4 of them; enough blocks to cover C.
 * Run        build/lockstep grade register_tiles
 * Read       handouts/register_tiles.md
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

#define THREADS 16                  // of a block, each way
#define EACH    4                   // rows and columns of C that a thread computes
#define TILE    (THREADS * EACH)    // rows and columns of C that a block computes
#define DEPTH   16                  // columns of A and rows of B that are in shared memory at a time

extern "C" __constant__ int register_tiles_items[2] = {TILE, TILE};     // tells the lab what a block computes

extern "C" __global__ void register_tiles(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][DEPTH];
    __shared__ float Bs[DEPTH][TILE];
    int first_row = blockIdx.y * TILE, first_column = blockIdx.x * TILE;    // of the block's tile of C
    int x = threadIdx.x, y = threadIdx.y;

    // Declare the sums of your EACH x EACH elements. Which rows and columns of the tile are yours?
    // --- your code ---
    float sum[EACH][EACH] = {};     // rows y, y + 16, y + 32, y + 48; columns x, x + 16, x + 32, x + 48
    // --- end ---

    for (int first = 0; first < K; first += DEPTH) {
        // Fill both tiles. Each has EACH times as many cells as the block has threads: some for every thread.
        // --- your code ---
        for (int cell = y * THREADS + x; cell < TILE * DEPTH; cell += THREADS * THREADS) {
            int row = first_row + cell / DEPTH, a_column = first + cell % DEPTH;
            int b_row = first + cell / TILE, column = first_column + cell % TILE;
            As[cell / DEPTH][cell % DEPTH] = row < M && a_column < K ? A[(size_t)row * K + a_column] : 0.0f;
            Bs[cell / TILE][cell % TILE] = b_row < K && column < N ? B[(size_t)b_row * N + column] : 0.0f;
        }
        __syncthreads();    // both tiles are complete
        // --- end ---

        for (int k = 0; k < DEPTH; k++) {
            // Read EACH cells of As and EACH cells of Bs into registers. Multiply each of the ones with each of the others.
            // --- your code ---
            float a[EACH], b[EACH];
            for (int i = 0; i < EACH; i++) {
                a[i] = As[y + i * THREADS][k];
                b[i] = Bs[k][x + i * THREADS];
            }
            for (int i = 0; i < EACH; i++) {
                for (int j = 0; j < EACH; j++) {
                    sum[i][j] += a[i] * b[j];
                }
            }
            // --- end ---
        }

        // What must every thread have finished before the next turn fills the tiles again?
        // --- your code ---
        __syncthreads();    // no thread reads these tiles any more
        // --- end ---
    }

    // Store your elements, those that C has.
    // --- your code ---
    for (int i = 0; i < EACH; i++) {
        for (int j = 0; j < EACH; j++) {
            int row = first_row + y + i * THREADS, column = first_column + x + j * THREADS;
            if (row < M && column < N) {
                C[(size_t)row * N + column] = sum[i][j];
            }
        }
    }
    // --- end ---
}
