// Right: blocks of 32 x 8 threads, 8 rows and 2 columns each.

#define ROWS    8
#define COLUMNS 2
#define TILE    64
#define DEPTH   16

extern "C" __constant__ int register_tiles_block[3] = {32, 8, 1};
extern "C" __constant__ int register_tiles_items[2] = {TILE, TILE};

extern "C" __global__ void register_tiles(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][DEPTH];
    __shared__ float Bs[DEPTH][TILE];
    int first_row = blockIdx.y * TILE, first_column = blockIdx.x * TILE;
    int x = threadIdx.x, y = threadIdx.y;
    float sum[ROWS][COLUMNS] = {};
    for (int first = 0; first < K; first += DEPTH) {
        for (int cell = y * 32 + x; cell < TILE * DEPTH; cell += 256) {
            int row = first_row + cell / DEPTH, a_column = first + cell % DEPTH;
            int b_row = first + cell / TILE, column = first_column + cell % TILE;
            As[cell / DEPTH][cell % DEPTH] = row < M && a_column < K ? A[(size_t)row * K + a_column] : 0.0f;
            Bs[cell / TILE][cell % TILE] = b_row < K && column < N ? B[(size_t)b_row * N + column] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < DEPTH; k++) {
            float a[ROWS], b[COLUMNS];
            for (int i = 0; i < ROWS; i++)
                a[i] = As[y + i * 8][k];
            for (int j = 0; j < COLUMNS; j++)
                b[j] = Bs[k][x + j * 32];
            for (int i = 0; i < ROWS; i++)
                for (int j = 0; j < COLUMNS; j++)
                    sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            int row = first_row + y + i * 8, column = first_column + x + j * 32;
            if (row < M && column < N)
                C[(size_t)row * N + column] = sum[i][j];
        }
}
