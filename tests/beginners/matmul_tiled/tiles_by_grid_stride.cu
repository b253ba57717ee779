// cause: Line 16: the loop over the tiles steps by the width of the whole grid (gridDim.x * TILE) instead of TILE, so tiles are skipped as soon as there is more than one block along x.
// first: wrong_value one_tile
// says: stride = gridDim.x*blockDim.x = 2*16 = 32; first grows by stride = 32.
// asks: How many times does the loop run, and what becomes of the sum from one tile to the next?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int stride = gridDim.x * blockDim.x;
    float sum = 0.0f;

    for (int first = 0; first < K; first += stride) {
        int ak = first + threadIdx.x;
        int bk = first + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = (row < M && ak < K) ? A[row * K + ak] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (bk < K && col < N) ? B[bk * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        }
        __syncthreads();
    }

    if (row < M && col < N) {
        C[row * N + col] = sum;
    }
}
