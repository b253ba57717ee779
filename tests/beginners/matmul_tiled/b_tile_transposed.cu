// cause: the product reads b_tile with its indices swapped, so it multiplies with a row of B's tile instead of a column
// first: wrong_value exchanged
// says: C[0][0] is made of B[0][0..15], and should be made of B[0..15][0].
// asks: Which line has the wrong cell, the one that fills it or the one that reads it?
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
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int r = blockIdx.y * TILE + ty;
    int c = blockIdx.x * TILE + tx;
    float acc = 0.0f;
    for (int base = 0; base < K; base += TILE) {
        a_tile[ty][tx] = r < M && base + tx < K ? A[r * K + base + tx] : 0.0f;
        b_tile[ty][tx] = base + ty < K && c < N ? B[(base + ty) * N + c] : 0.0f;
        __syncthreads();
        // row of A times column of B
        for (int k = 0; k < TILE; k++)
            acc += a_tile[ty][k] * b_tile[tx][k];
        __syncthreads();
    }
    if (r < M && c < N) {
        C[r * N + c] = acc;
    }
}
