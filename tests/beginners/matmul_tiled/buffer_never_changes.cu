// cause: 1 - buf; changes nothing, so the two buffers are one
// first: race_shared same_part
// says: to another, and no barrier separates the turns
// asks: Which place should change in this line
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    // two buffers: load one while others may still multiply with the other
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    int buf = 0;

    for (int first = 0; first < K; first += TILE) {
        As[buf][ty][tx] = (row < M && first + tx < K) ? A[row * K + first + tx] : 0.0f;
        Bs[buf][ty][tx] = (first + ty < K && col < N) ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[buf][ty][k] * Bs[buf][k][tx];
        1 - buf;
    }
    if (row < M && col < N) C[row * N + col] = sum;
}
