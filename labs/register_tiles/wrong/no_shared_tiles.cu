// expect: budget global_load_sectors - right, with 4 x 4 sums per thread, but filled from global memory

#define THREADS 16
#define EACH    4
#define TILE    (THREADS * EACH)
#define DEPTH   16

extern "C" __constant__ int register_tiles_items[2] = {TILE, TILE};

extern "C" __global__ void register_tiles(const float *A, const float *B, float *C, int M, int N, int K)
{
    int first_row = blockIdx.y * TILE + threadIdx.y, first_column = blockIdx.x * TILE + threadIdx.x;
    float sum[EACH][EACH] = {};
    for (int k = 0; k < K; k++) {
        float a[EACH], b[EACH];
        for (int i = 0; i < EACH; i++) {
            int row = first_row + i * THREADS, column = first_column + i * THREADS;
            a[i] = row < M ? A[(size_t)row * K + k] : 0.0f;
            b[i] = column < N ? B[(size_t)k * N + column] : 0.0f;
        }
        for (int i = 0; i < EACH; i++)
            for (int j = 0; j < EACH; j++)
                sum[i][j] += a[i] * b[j];
    }
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < EACH; j++) {
            int row = first_row + i * THREADS, column = first_column + j * THREADS;
            if (row < M && column < N)
                C[(size_t)row * N + column] = sum[i][j];
        }
}
