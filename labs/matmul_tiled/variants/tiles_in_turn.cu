// expect: pass - two pairs of tiles in turn, so one barrier in each turn is enough
#define TILE 16

// double buffering: while one pair of tiles is multiplied the other one can be filled already
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    int cur = 0;

    for (int first = 0; first < K; first += TILE) {
        As[cur][ty][tx] = (row < M && first + tx < K) ? A[row * K + (first + tx)] : 0.0f;
        Bs[cur][ty][tx] = (first + ty < K && col < N) ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            sum += As[cur][ty][k] * Bs[cur][k][tx];

        cur ^= 1;
    }

    if (row < M && col < N) {
        C[row * N + col] = sum;
    }
}
