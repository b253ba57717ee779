// cause: threads without an element of C leave the loop with break before the first barrier, so they miss the barriers and load their cells for the first tile only; the later tiles have missing (stale) cells.
// first: barrier_divergent jump
// says: The `break` in line 23 leaves the loop, and with it the barriers of all further turns.
// asks: Which threads take the jump that the message names, and which barriers do they miss by it?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        // everybody loads
        int ka = first + threadIdx.x;
        int kb = first + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = (row < M && ka < K) ? A[row * K + ka] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (kb < K && col < N) ? B[kb * N + col] : 0.0f;

        // threads outside of C have loaded, nothing else to do for them
        if (row >= M || col >= N) break;
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
