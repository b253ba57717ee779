// Right: 4 x 4 neighbouring elements per thread, As by columns with rows of padding, reads of 16 bytes.

#define THREADS 16
#define EACH    4
#define TILE    (THREADS * EACH)
#define DEPTH   16

extern "C" __constant__ int register_tiles_items[2] = {TILE, TILE};

extern "C" __global__ void register_tiles(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ alignas(16) float As[DEPTH][TILE + 4];
    __shared__ alignas(16) float Bs[DEPTH][TILE];
    int first_row = blockIdx.y * TILE, first_column = blockIdx.x * TILE;
    int x = threadIdx.x, y = threadIdx.y;
    float sum[EACH][EACH] = {};
    for (int first = 0; first < K; first += DEPTH) {
        for (int cell = y * THREADS + x; cell < TILE * DEPTH; cell += THREADS * THREADS) {
            int row = first_row + cell / DEPTH, a_column = first + cell % DEPTH;
            int b_row = first + cell / TILE, column = first_column + cell % TILE;
            As[cell % DEPTH][cell / DEPTH] = row < M && a_column < K ? A[(size_t)row * K + a_column] : 0.0f;
            Bs[cell / TILE][cell % TILE] = b_row < K && column < N ? B[(size_t)b_row * N + column] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < DEPTH; k++) {
            float4 a = *(float4 *)&As[k][y * EACH], b = *(float4 *)&Bs[k][x * EACH];
            float rows[EACH] = {a.x, a.y, a.z, a.w}, columns[EACH] = {b.x, b.y, b.z, b.w};
            for (int i = 0; i < EACH; i++)
                for (int j = 0; j < EACH; j++)
                    sum[i][j] += rows[i] * columns[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < EACH; j++) {
            int row = first_row + y * EACH + i, column = first_column + x * EACH + j;
            if (row < M && column < N)
                C[(size_t)row * N + column] = sum[i][j];
        }
}
