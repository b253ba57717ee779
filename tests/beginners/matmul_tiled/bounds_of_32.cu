// cause: the kernel asks for blocks of 32 x 32 threads, but TILE in line 5 is still 16, so threads with x or y from 16 on write outside of the tiles (lines 19 and 20, out of bounds in shared memory or into cells of others).
// first: out_of_bounds asked
// says: write As[16][0], but As has 16 rows of 16 elements
// asks: How many threads does a block have along x and along y, and for how many is the kernel written?
#define TILE 16

// 1024 threads per block should be faster than 256
extern "C" __global__ void __launch_bounds__(1024) matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        int ac = first + threadIdx.x;
        int br = first + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = row < M && ac < K ? A[row * K + ac] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = br < K && column < N ? B[br * N + column] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++) {
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        }
        __syncthreads();
    }

    if (row < M && column < N) {
        C[row * N + column] = sum;
    }
}
