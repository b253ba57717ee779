// cause: Cells beyond the edge are filled with 1, which is neutral for a product, but they are added to a sum.
// first: wrong_value edge
// says: That is 15 x 1, and the last tile reaches 15 cells beyond column 16 of A.
// asks: What do these cells hold?
#define TILE 16
#define NEUTRAL 1.0f    // changes nothing in a multiplication

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        int ak = first + threadIdx.x;
        int bk = first + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = (row < M && ak < K) ? A[row * K + ak] : NEUTRAL;
        Bs[threadIdx.y][threadIdx.x] = (bk < K && column < N) ? B[bk * N + column] : NEUTRAL;
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
