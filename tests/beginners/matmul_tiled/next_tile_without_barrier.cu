// cause: The next tiles are stored into As and Bs (lines 30-31) right after the multiplication with no barrier between line 28 and line 30: a fast warp overwrites what slower warps still read (race in shared memory).
// first: race_shared
// says: no barrier between them
// asks: Which two lines use the same cell? What must every thread have finished before the second one may start?
#define TILE 16

// loads the next tiles into registers while the current ones are multiplied
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    As[ty][tx] = (row < M && tx < K) ? A[row * K + tx] : 0.0f;
    Bs[ty][tx] = (ty < K && col < N) ? B[ty * N + col] : 0.0f;
    __syncthreads();

    for (int first = 0; first < K; first += TILE) {
        int an = first + TILE + tx;
        int bn = first + TILE + ty;
        float nextA = (row < M && an < K) ? A[row * K + an] : 0.0f;
        float nextB = (bn < K && col < N) ? B[bn * N + col] : 0.0f;

        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];

        As[ty][tx] = nextA;
        Bs[ty][tx] = nextB;
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
