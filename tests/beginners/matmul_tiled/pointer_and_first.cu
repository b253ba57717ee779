// cause: the pointer into A is moved on in each turn and first is added to it as well, so every turn skips twice as far
// first: out_of_bounds moved
// says: read A[17][15], but A has 17 rows of 17 elements
// asks: Where does the pointer point when the line uses it, and what does the index add to that?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float total = 0.0f;
    const float *a = A + row * K;

    for (int first = 0; first < K; first += TILE) {
        if (row < M && first + tx < K)
            a_tile[ty][tx] = a[first + tx];
        else
            a_tile[ty][tx] = 0.0f;
        if (first + ty < K && col < N)
            b_tile[ty][tx] = B[(first + ty) * N + col];
        else
            b_tile[ty][tx] = 0.0f;
        a += TILE;
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            total += a_tile[ty][k] * b_tile[k][tx];
        }
        __syncthreads();
    }
    if (row < M && col < N) {
        C[row * N + col] = total;
    }
}
