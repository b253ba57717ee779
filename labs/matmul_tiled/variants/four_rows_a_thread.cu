// expect: pass - blocks of 32 x 8 threads for tiles of 32 x 32, four rows per thread
#define T 32
#define ROWS 8
#define PER (T / ROWS)

extern "C" __constant__ int matmul_tiled_block[3] = {T, ROWS, 1};
extern "C" __constant__ int matmul_tiled_items[2] = {T, T};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[T][T];
    __shared__ float Bs[T][T];
    int x = threadIdx.x;
    int row0 = blockIdx.y * T;
    int col = blockIdx.x * T + x;
    float acc[PER];
    for (int i = 0; i < PER; i++) acc[i] = 0.0f;

    for (int k0 = 0; k0 < K; k0 += T) {
        for (int y = threadIdx.y; y < T; y += ROWS) {
            As[y][x] = (row0 + y < M && k0 + x < K) ? A[(row0 + y) * K + k0 + x] : 0.0f;
            Bs[y][x] = (k0 + y < K && col < N) ? B[(k0 + y) * N + col] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < T; k++) {
            float b = Bs[k][x];
            for (int i = 0; i < PER; i++)
                acc[i] += As[threadIdx.y + i * ROWS][k] * b;
        }
        __syncthreads();
    }

    for (int i = 0; i < PER; i++) {
        int row = row0 + threadIdx.y + i * ROWS;
        if (row < M && col < N)
            C[row * N + col] = acc[i];
    }
}
