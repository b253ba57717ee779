// Right: sums and products in double, which is more exact than it has to be.

#define THREADS 16
#define EACH    4
#define TILE    (THREADS * EACH)
#define DEPTH   16

extern "C" __constant__ int register_tiles_items[2] = {TILE, TILE};

extern "C" __global__ void register_tiles(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][DEPTH];
    __shared__ float Bs[DEPTH][TILE];
    int first_row = blockIdx.y * TILE, first_column = blockIdx.x * TILE;
    int x = threadIdx.x, y = threadIdx.y;
    double sum[EACH][EACH] = {};
    for (int first = 0; first < K; first += DEPTH) {
        for (int cell = y * THREADS + x; cell < TILE * DEPTH; cell += THREADS * THREADS) {
            int row = first_row + cell / DEPTH, a_column = first + cell % DEPTH;
            int b_row = first + cell / TILE, column = first_column + cell % TILE;
            As[cell / DEPTH][cell % DEPTH] = row < M && a_column < K ? A[(size_t)row * K + a_column] : 0.0f;
            Bs[cell / TILE][cell % TILE] = b_row < K && column < N ? B[(size_t)b_row * N + column] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < DEPTH; k++) {
            float a[EACH], b[EACH];
            for (int i = 0; i < EACH; i++) {
                a[i] = As[y + i * THREADS][k];
                b[i] = Bs[k][x + i * THREADS];
            }
            for (int i = 0; i < EACH; i++)
                for (int j = 0; j < EACH; j++)
                    sum[i][j] += (double)a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < EACH; j++) {
            int row = first_row + y + i * THREADS, column = first_column + x + j * THREADS;
            if (row < M && column < N)
                C[(size_t)row * N + column] = sum[i][j];
        }
}
