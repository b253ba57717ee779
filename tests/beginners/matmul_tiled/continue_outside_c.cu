// cause: Line 17: threads without an element of C skip the rest of every turn, so they neither load their cells of the tiles (which stay unfilled) nor reach the barriers.
// first: barrier_divergent jump
// says: The `continue` in line 17 leaves out the rest of the turn, the barrier with it.
// asks: Which threads take the jump that the message names, and which barriers do they miss by it?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int col = threadIdx.x + blockIdx.x * TILE;
    int row = threadIdx.y + blockIdx.y * TILE;
    float dot = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        if (row >= M || col >= N)
            continue;                       // this thread has nothing to do

        int ac = first + threadIdx.x;
        int br = first + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = ac < K ? A[row * K + ac] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = br < K ? B[br * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            dot += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = dot;
}
