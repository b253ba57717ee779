// cause: `float *Bs = pool + TILE;` puts B's tile one row behind the start of A's tile instead of TILE * TILE cells behind it, so the two tiles overlap in 240 cells: races and wrong values.
// first: race_warp two_stores
// says: shared array pool[16] written by thread (0,1,0) (line 21) and written by thread (0,0,0) (line 22)
// asks: Two lines store to the same element of pool, in different threads. Should both threads use this element, or each one of its own?
/* Lab 05: one pool of shared memory for both tiles */
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float pool[2 * TILE * TILE];
    float *As = pool;
    float *Bs = pool + TILE;

    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        const bool inA = row < M && first + x < K;
        const bool inB = first + y < K && column < N;
        As[y * TILE + x] = inA ? A[row * K + first + x] : 0.0f;
        Bs[y * TILE + x] = inB ? B[(first + y) * N + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[y * TILE + k] * Bs[k * TILE + x];
        __syncthreads();
    }

    if (row < M && column < N) {
        C[row * N + column] = sum;
    }
}
