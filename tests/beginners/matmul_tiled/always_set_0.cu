// cause: first & 1 is always 0, so one barrier per turn is not enough
// first: race_shared turns
// says: line 31 belongs to one turn of the loop in line 28, line 34 to another, and no barrier separates the turns
// asks: The two accesses belong to two turns of the loop. What makes every thread finish a turn before any thread begins the next one?
/* Lab 05: matrix product with tiles in shared memory: C = A * B.
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
    __shared__ float sA[2][TILE][TILE];
    __shared__ float sB[2][TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int r = blockIdx.y * TILE + ty;
    int c = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        const int s = first & 1; // alternate between the two sets
        sA[s][ty][tx] = r < M && first + tx < K ? A[r * K + first + tx] : 0.0f;
        sB[s][ty][tx] = first + ty < K && c < N ? B[(first + ty) * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            sum += sA[s][ty][k] * sB[s][k][tx];
        }
    }
    if (r < M && c < N) {
        C[r * N + c] = sum;
    }
}
