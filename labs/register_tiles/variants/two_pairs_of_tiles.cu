// Right: two pairs of tiles; the loads for the next turn are on their way during the multiplications.

#define THREADS 16
#define EACH    4
#define TILE    (THREADS * EACH)
#define DEPTH   16

extern "C" __constant__ int register_tiles_items[2] = {TILE, TILE};

__device__ void load(float (&a)[EACH], float (&b)[EACH], const float *A, const float *B, int first, int M, int N, int K)
{
    for (int i = 0; i < EACH; i++) {
        int cell = threadIdx.y * THREADS + threadIdx.x + i * THREADS * THREADS;
        int row = blockIdx.y * TILE + cell / DEPTH, a_column = first + cell % DEPTH;
        int b_row = first + cell / TILE, column = blockIdx.x * TILE + cell % TILE;
        a[i] = row < M && a_column < K ? A[(size_t)row * K + a_column] : 0.0f;
        b[i] = b_row < K && column < N ? B[(size_t)b_row * N + column] : 0.0f;
    }
}

extern "C" __global__ void register_tiles(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[2][TILE][DEPTH];
    __shared__ float Bs[2][DEPTH][TILE];
    int first_row = blockIdx.y * TILE, first_column = blockIdx.x * TILE;
    int x = threadIdx.x, y = threadIdx.y;
    float sum[EACH][EACH] = {};
    float next_a[EACH], next_b[EACH];
    load(next_a, next_b, A, B, 0, M, N, K);
    for (int first = 0, pair = 0; first < K; first += DEPTH, pair = 1 - pair) {
        for (int i = 0; i < EACH; i++) {
            int cell = y * THREADS + x + i * THREADS * THREADS;
            As[pair][cell / DEPTH][cell % DEPTH] = next_a[i];
            Bs[pair][cell / TILE][cell % TILE] = next_b[i];
        }
        __syncthreads();
        if (first + DEPTH < K)
            load(next_a, next_b, A, B, first + DEPTH, M, N, K);
        for (int k = 0; k < DEPTH; k++) {
            float a[EACH], b[EACH];
            for (int i = 0; i < EACH; i++) {
                a[i] = As[pair][y + i * THREADS][k];
                b[i] = Bs[pair][k][x + i * THREADS];
            }
            for (int i = 0; i < EACH; i++)
                for (int j = 0; j < EACH; j++)
                    sum[i][j] += a[i] * b[j];
        }
    }
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < EACH; j++) {
            int row = first_row + y + i * THREADS, column = first_column + x + j * THREADS;
            if (row < M && column < N)
                C[(size_t)row * N + column] = sum[i][j];
        }
}
