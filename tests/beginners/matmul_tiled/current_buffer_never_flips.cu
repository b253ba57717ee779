// cause: cur is never changed, so every turn loads into and reads from the same buffer 0; with only one barrier a turn (line 21) the next turn's loads overwrite the tiles while other threads still multiply (race in shared memory for K > 16).
// first: race_shared same_part
// says: line 20 belongs to one turn of the loop in line 18, line 24 to another, and no barrier separates the turns
// asks: Which part of the array should this turn use, and which one the next? Which line changes that?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    // double buffering: one __syncthreads per tile is enough
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    int cur = 0;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        As[cur][ty][tx] = (row < M && first + tx < K) ? A[row * K + first + tx] : 0.0f;
        Bs[cur][ty][tx] = (first + ty < K && col < N) ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            sum += As[cur][ty][k] * Bs[cur][k][tx];
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
