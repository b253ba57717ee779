// cause: Line 8: __launch_bounds__(1024) asks for blocks of 32 x 32 threads, but TILE is 16, so threads with threadIdx 16 to 31 write and read outside the 16 x 16 tiles.
// first: out_of_bounds asked
// says: write As[16][0], but As has 16 rows of 16 elements
// asks: How many threads does a block have along x and along y, and for how many is the kernel written?
#define TILE 16

extern "C" __global__ void
__launch_bounds__(1024)
matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * blockDim.y + ty;
    int col = blockIdx.x * blockDim.x + tx;

    float acc = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        As[ty][tx] = (row < M && first + tx < K) ? A[row * K + first + tx] : 0.0f;
        Bs[ty][tx] = (first + ty < K && col < N) ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++) {
            acc += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
    }

    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}
