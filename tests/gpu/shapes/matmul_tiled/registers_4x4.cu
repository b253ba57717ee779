// each thread has 4 x 4 elements of a tile of 64 x 64
extern "C" __constant__ int matmul_tiled_items[2] = {64, 64};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[16][64], Bs[16][64];
    int t = threadIdx.y * 16 + threadIdx.x;
    int row = blockIdx.y * 64, column = blockIdx.x * 64;
    float sum[4][4] = {};
    for (int first = 0; first < K; first += 16) {
        for (int e = t; e < 1024; e += 256) {
            int r = e / 16, k = e % 16;
            As[k][r] = row + r < M && first + k < K ? A[(row + r) * K + first + k] : 0.0f;
            int kk = e / 64, c = e % 64;
            Bs[kk][c] = first + kk < K && column + c < N ? B[(first + kk) * N + column + c] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < 16; k++)
            for (int y = 0; y < 4; y++)
                for (int x = 0; x < 4; x++)
                    sum[y][x] += As[k][threadIdx.y * 4 + y] * Bs[k][threadIdx.x * 4 + x];
        __syncthreads();
    }
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++) {
            int r = row + threadIdx.y * 4 + y, c = column + threadIdx.x * 4 + x;
            if (r < M && c < N)
                C[r * N + c] = sum[y][x];
        }
}
