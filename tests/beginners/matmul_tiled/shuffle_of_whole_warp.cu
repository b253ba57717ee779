// cause: the shuffle has the default width of 32, but a warp holds two rows of the block, so threads of odd threadIdx.y get the value of lane k, which belongs to the row above, instead of lane 16 + k.
// first: wrong_value shuffled
// says: Line 23 has __shfl_sync, and thread (0,1,0) is lane 16 of its warp.
// asks: From which lane does it get its value there, and which lane has the one that belongs to it?
#define TILE 16

// A stays in registers, so only B needs shared memory
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        int ka = first + threadIdx.x;
        int kb = first + threadIdx.y;
        float a = (row < M && ka < K) ? A[row * K + ka] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (kb < K && col < N) ? B[kb * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            sum += __shfl_sync(0xffffffff, a, k) * Bs[k][threadIdx.x];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
