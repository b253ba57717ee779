// cause: each turn fills the second part of the tiles again; no barrier after the multiplication
// first: race_shared same_part
// says: line 19 belongs to one turn of the loop in line 17, line 22 to another
// asks: Which part of the array should this turn use, and which one the next? Which line changes that?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE];
    const int part = 1;
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        As[part][ty][tx] = row < M && first + tx < K ? A[row * K + first + tx] : 0.0f;
        Bs[part][ty][tx] = first + ty < K && col < N ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[part][ty][k] * Bs[part][k][tx];
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}
