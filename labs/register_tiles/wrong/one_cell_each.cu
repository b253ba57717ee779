// expect: uninitialized - each thread fills one cell of each tile, as where a tile has a cell per thread

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
    float sum[EACH][EACH] = {};
    for (int first = 0; first < K; first += DEPTH) {
        int row = first_row + y, column = first_column + x;
        As[y][x] = row < M && first + x < K ? A[(size_t)row * K + first + x] : 0.0f;
        Bs[y][x] = first + y < K && column < N ? B[(size_t)(first + y) * N + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < DEPTH; k++) {
            float a[EACH], b[EACH];
            for (int i = 0; i < EACH; i++) {
                a[i] = As[y + i * THREADS][k];
                b[i] = Bs[k][x + i * THREADS];
            }
            for (int i = 0; i < EACH; i++)
                for (int j = 0; j < EACH; j++)
                    sum[i][j] += a[i] * b[j];
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
