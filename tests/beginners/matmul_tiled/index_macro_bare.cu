// cause: Line 6: the macro lacks parentheses, so IDX(first + ty, col, N) in line 26 becomes first + ty * N + col: from the second tile on (first > 0) the wrong elements of B are loaded.
// first: wrong_value exchanged
// says: C[0][0] is made of B[0..15][0] and B[0][16], and should be made of B[0..16][0].
// asks: What does this line say once the macro is replaced by its text, and the parameter in it by what you wrote?
#define TILE 16
#define IDX(r, c, w) r * w + c

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = TILE * blockIdx.y + ty;
    int col = TILE * blockIdx.x + tx;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        if (row < M && first + tx < K)
            As[ty][tx] = A[IDX(row, first + tx, K)];
        else
            As[ty][tx] = 0.0f;

        if (first + ty < K && col < N)
            Bs[ty][tx] = B[IDX(first + ty, col, N)];
        else
            Bs[ty][tx] = 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < M && col < N)
        C[IDX(row, col, N)] = sum;
}
