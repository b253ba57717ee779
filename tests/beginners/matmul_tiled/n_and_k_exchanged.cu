// cause: the last two parameters are exchanged (int K, int N instead of int N, int K), so the kernel takes the lab's N for K and K for N and uses wrong row lengths and limits.
// first: out_of_bounds row_length
// says: write C[15][0], but C has 15 rows of 31 elements
// asks: The launch passes A, B, C, M, N, K in this order, and your kernel calls them A, B, C, M, K, N. Which name belongs to which argument?
#define TILE 16

// C (MxN) = A (MxK) * B (KxN)
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int K, int N)
{
    __shared__ float subA[TILE][TILE];
    __shared__ float subB[TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    int numTiles = (K + TILE - 1) / TILE;

    for (int tile = 0; tile < numTiles; tile++) {
        int aCol = tile * TILE + tx;
        int bRow = tile * TILE + ty;

        // load A
        subA[ty][tx] = (row < M && aCol < K) ? A[row * K + aCol] : 0.0f;
        // load B
        subB[ty][tx] = (bRow < K && col < N) ? B[bRow * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++) {
            sum += subA[ty][k] * subB[k][tx];
        }
        __syncthreads();
    }

    if (row < M && col < N) {
        C[row * N + col] = sum;
    }
}
