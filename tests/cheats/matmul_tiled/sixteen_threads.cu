// expect: at most 97 - of 256 threads, the first 16 compute a column of the tile each
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    const int x = threadIdx.x, row = blockIdx.y * TILE, column = blockIdx.x * TILE + x;
    float sums[TILE] = {0};
    for (int k = 0; k < K; k += TILE) {
        for (int y = 0; y < TILE && threadIdx.y == 0; y++) {
            a[y][x] = row + y < M && k + x < K ? A[(row + y) * K + k + x] : 0;
            b[y][x] = k + y < K && column < N ? B[(k + y) * N + column] : 0;
        }
        __syncthreads();
        for (int j = 0; j < TILE && threadIdx.y == 0; j++)
            for (int y = 0; y < TILE; y++)
                sums[y] += a[y][j] * b[j][x];
        __syncthreads();
    }
    for (int y = 0; y < TILE && threadIdx.y == 0; y++)
        if (row + y < M && column < N)
            C[(row + y) * N + column] = sums[y];
}
