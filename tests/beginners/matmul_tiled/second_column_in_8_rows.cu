// cause: the second column of each thread is stored only in the first 8 rows
// first: never_written elsewhere
// says: line 42 stores elements from C[row 0, column 16] to C[row 7, column 16].
// asks: Which elements should line 41 store, and which does it store?
#define TILE 16

// one block = 32 columns x 16 rows of C
extern "C" __constant__ int matmul_tiled_items[2] = {2 * TILE, TILE};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][2 * TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int colL = blockIdx.x * 2 * TILE + tx;   // left one
    int colR = colL + TILE;                  // right one

    float left = 0.0f;
    float right = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        int ak = first + tx;
        int bk = first + ty;
        As[ty][tx] = (row < M && ak < K) ? A[row * K + ak] : 0.0f;
        Bs[ty][tx] = (bk < K && colL < N) ? B[bk * N + colL] : 0.0f;
        Bs[ty][tx + TILE] = (bk < K && colR < N) ? B[bk * N + colR] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++) {
            float a = As[ty][k];
            left = left + a * Bs[k][tx];
            right = right + a * Bs[k][tx + TILE];
        }
        __syncthreads();
    }

    if (row < M) {
        if (colL < N) C[row * N + colL] = left;
        if (colR < N && row < 8) C[row * N + colR] = right;
    }
}
