// cause: TILE^2 is an exclusive or in C, 16 ^ 2 = 18, so the array has 18 cells instead of 256
// first: out_of_bounds power
// says: write sA[18], but sA has 18 elements (0..17)
// asks: Line 21 first: What does the operator in this line mean in C?
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
    __shared__ float sA[TILE^2];
    __shared__ float sB[TILE * TILE];
    int lx = threadIdx.x;
    int ly = threadIdx.y;
    int r = blockIdx.y * TILE + ly;
    int c = blockIdx.x * TILE + lx;
    float sum = 0.0f;

    for (int base = 0; base < K; base += TILE) {
        sA[ly * TILE + lx] = r < M && base + lx < K ? A[r * K + base + lx] : 0.0f;
        sB[ly * TILE + lx] = base + ly < K && c < N ? B[(base + ly) * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            sum += sA[ly * TILE + k] * sB[k * TILE + lx];
        }
        __syncthreads();
    }
    if (r < M && c < N) {
        C[r * N + c] = sum;
    }
}
