// cause: the buffer is never switched: the next tiles are loaded into the half that slower warps still read
// first: race_shared same_part
// says: half, the first index of Bs, is set in line 14 and never changes
// asks: Which line changes that?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    float sum = 0;
    int half = 0;
    for (int first = 0; first < K; first += TILE) {
        As[half][ty][tx] = row < M && first + tx < K ? A[row * K + first + tx] : 0;
        Bs[half][ty][tx] = first + ty < K && column < N ? B[(first + ty) * N + column] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[half][ty][k] * Bs[half][k][tx];
    }
    if (row < M && column < N)
        C[row * N + column] = sum;
}
