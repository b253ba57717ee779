// cause: `for (unsigned left = K; left > 0; left -= TILE)`: left is unsigned, and when K is not a multiple of 16 it passes below 0 to about 4 billion and never becomes 0, so the loop does not end.
// first: fuel slow
// says: Other cases end.
// asks: How much is left before the last turn, and what is that minus what a turn takes away?
/* Lab 05: counts down what is left of the row */
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;

    for (unsigned left = K; left > 0; left -= TILE) {
        const unsigned done = K - left;
        const unsigned ka = done + threadIdx.x, kb = done + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = (row < M && ka < K) ? A[row * K + ka] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (col < N && kb < K) ? B[kb * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
