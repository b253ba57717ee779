// cause: Line 7: the parameters are declared as M, K, N but are passed as M, N, K, so N and K are exchanged in the whole kernel.
// first: out_of_bounds row_length
// says: write C[15][0], but C has 15 rows of 31 elements
// asks: The launch passes A, B, C, M, N, K in this order, and your kernel calls them A, B, C, M, K, N. Which name belongs to which argument?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int K, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int x = threadIdx.x;
    int y = threadIdx.y;
    int row = y + blockIdx.y * blockDim.y;
    int col = x + blockIdx.x * blockDim.x;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        As[y][x] = row < M && first + x < K ? A[row * K + (first + x)] : 0.0f;
        Bs[y][x] = first + y < K && col < N ? B[(first + y) * N + col] : 0.0f;
        __syncthreads();

        for (int i = 0; i < TILE; i++)
            sum += As[y][i] * Bs[i][x];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
