// cause: stores the sums as if a thread had neighbouring elements; it computes every sixteenth
// first: wrong_value exchanged
// says: What belongs into C[0][1] is in C[0][4].
// asks: Which index puts it there: one of the cells that are multiplied, or that of the store?
#define THREADS 16
#define EACH_M 4
#define EACH_N 4
#define TILE_M (THREADS * EACH_M)
#define TILE_N (THREADS * EACH_N)
#define DEPTH 16

extern "C" __constant__ int register_tiles_items[2] = {TILE_N, TILE_M};

extern "C" __global__ void register_tiles(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE_M][DEPTH];
    __shared__ float Bs[DEPTH][TILE_N];
    int first_row = blockIdx.y * TILE_M, first_column = blockIdx.x * TILE_N;
    int x = threadIdx.x, y = threadIdx.y, t = y * THREADS + x;
    float sum[EACH_M][EACH_N] = {};
    for (int first = 0; first < K; first += DEPTH) {
        for (int c = t; c < TILE_M * DEPTH; c += THREADS * THREADS) {
            int row = first_row + c / DEPTH, k = first + c % DEPTH;
            As[c / DEPTH][c % DEPTH] = row < M && k < K ? A[(size_t)row * K + k] : 0;
        }
        for (int c = t; c < DEPTH * TILE_N; c += THREADS * THREADS) {
            int k = first + c / TILE_N, column = first_column + c % TILE_N;
            Bs[c / TILE_N][c % TILE_N] = k < K && column < N ? B[(size_t)k * N + column] : 0;
        }
        __syncthreads();
        for (int k = 0; k < DEPTH; k++) {
            float a[EACH_M], b[EACH_N];
            for (int i = 0; i < EACH_M; i++)
                a[i] = As[y + i * THREADS][k];
            for (int j = 0; j < EACH_N; j++)
                b[j] = Bs[k][x + j * THREADS];
            for (int i = 0; i < EACH_M; i++)
                for (int j = 0; j < EACH_N; j++)
                    sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < EACH_M; i++)
        for (int j = 0; j < EACH_N; j++) {
            int row = first_row + y * EACH_M + i, column = first_column + x * EACH_N + j;
            if (row < M && column < N)
                C[(size_t)row * N + column] = sum[i][j];
        }
}
