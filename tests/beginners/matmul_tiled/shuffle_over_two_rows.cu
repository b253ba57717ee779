// cause: Line 22: a warp is two rows of 16 threads, but the shuffle has the default width 32, so lane k = 0 to 15 is always in the warp's first row and the threads of odd rows get the elements of A of the row above.
// first: wrong_value shuffled
// says: Line 22 has __shfl_sync, and thread (0,1,0) is lane 16 of its warp.
// asks: From which lane does it get its value there, and which lane has the one that belongs to it?
#define TILE 16

// A's element stays in a register, the row of threads hands it round with shuffles. Only B needs a tile.
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        float a = (row < M && first + tx < K) ? A[row * K + first + tx] : 0.0f;
        Bs[ty][tx] = (first + ty < K && col < N) ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            sum += __shfl_sync(0xffffffff, a, k) * Bs[k][tx];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
