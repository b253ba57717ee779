// cause: `for (int ka = threadIdx.x; ka < K; ka += TILE)`: the loop with the barriers runs a different number of times for different threadIdx.x when K is not a multiple of 16, so some threads go around the barriers of the last turn and leave their cells unfilled.
// first: barrier_divergent loop
// says: Line 25 is in the loop of line 19: each turn needs every thread.
// asks: How many turns of the loop does the first thread in the message make, and how many the others?
// lab 05 - tiled matmul
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * blockDim.y + ty;
    int col = blockIdx.x * blockDim.x + tx;
    float total = 0.f;

    // each thread walks along its row of A
    for (int ka = threadIdx.x; ka < K; ka += TILE)
    {
        int kb = ka - tx + ty;

        As[ty][tx] = row < M ? A[row * K + ka] : 0.f;
        Bs[ty][tx] = (kb < K && col < N) ? B[kb * N + col] : 0.f;
        __syncthreads();

        for (int j = 0; j < TILE; ++j)
        {
            total += As[ty][j] * Bs[j][tx];
        }
        __syncthreads();
    }

    if (row < M && col < N)
    {
        C[row * N + col] = total;
    }
}
