// cause: Line 16: the number of valid cells is taken as min(TILE, K) in every turn, not min(TILE, K - first), so in the last partial tile the loop multiplies cells that this turn did not fill (left over from the tile before).
// first: wrong_value edge
// says: Line 29 is in the loop of line 28: for (int k = 0; k < limit; k++). In thread (0,0,0) of block (0,0,0), limit = min(TILE,K) = 16.
// asks: What should these cells hold where the tile reaches beyond the matrix?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;

    // no need for zeros if I only multiply what is there
    int limit = min(TILE, K);

    for (int first = 0; first < K; first += TILE) {
        int ak = first + threadIdx.x;
        int bk = first + threadIdx.y;
        if (row < M && ak < K)
            As[threadIdx.y][threadIdx.x] = A[row * K + ak];
        if (bk < K && col < N)
            Bs[threadIdx.y][threadIdx.x] = B[bk * N + col];
        __syncthreads();

        if (row < M && col < N) {
            for (int k = 0; k < limit; k++)
                sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        }
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
