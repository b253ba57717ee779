// cause: Line 24: the guard for B asks about col, the thread's own column of C, but the loop loads column c0 + j, so columns beyond N are read (wrong elements or out of bounds) and others are left out.
// first: out_of_bounds guarded
// says: but B has 1 row of 1 element
// asks: Which row and which column did the thread want, and which condition let it through?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int r0 = blockIdx.y * TILE, c0 = blockIdx.x * TILE;
    int row = r0 + ty;
    int col = c0 + tx;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        // the first row of threads fills A's tile, one row each, the second one B's
        if (ty == 0) {
            for (int j = 0; j < TILE; j++)
                As[tx][j] = (r0 + tx < M && first + j < K) ? A[(r0 + tx) * K + first + j] : 0.0f;
        } else if (ty == 1) {
            for (int j = 0; j < TILE; j++)
                Bs[tx][j] = (first + tx < K && col < N) ? B[(first + tx) * N + c0 + j] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
