// expect: at most 66 - one thread fills the tiles and computes all elements of its block, the others only wait
#define THREADS 16
#define EACH    4
#define TILE    (THREADS * EACH)
#define DEPTH   16

extern "C" __constant__ int register_tiles_items[2] = {TILE, TILE};

extern "C" __global__ void register_tiles(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][DEPTH], Bs[DEPTH][TILE];
    int first_row = blockIdx.y * TILE, first_column = blockIdx.x * TILE;
    if (threadIdx.x > 0 || threadIdx.y > 0)
        return;
    for (int row = first_row; row < first_row + TILE && row < M; row++)
        for (int column = first_column; column < first_column + TILE && column < N; column++)
            C[(size_t)row * N + column] = 0;
    for (int first = 0; first < K; first += DEPTH) {
        for (int cell = 0; cell < TILE * DEPTH; cell++) {
            int row = first_row + cell / DEPTH, a_column = first + cell % DEPTH;
            int b_row = first + cell / TILE, column = first_column + cell % TILE;
            As[cell / DEPTH][cell % DEPTH] = row < M && a_column < K ? A[(size_t)row * K + a_column] : 0.0f;
            Bs[cell / TILE][cell % TILE] = b_row < K && column < N ? B[(size_t)b_row * N + column] : 0.0f;
        }
        for (int tile = 0; tile < TILE * TILE / 16; tile++) {
            int row0 = tile / 16 * 4, column0 = tile % 16 * 4;
            float sum[4][4] = {};
            for (int k = 0; k < DEPTH; k++)
                for (int i = 0; i < 4; i++)
                    for (int j = 0; j < 4; j++)
                        sum[i][j] += As[row0 + i][k] * Bs[k][column0 + j];
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    if (first_row + row0 + i < M && first_column + column0 + j < N)
                        C[(size_t)(first_row + row0 + i) * N + first_column + column0 + j] += sum[i][j];
        }
    }
}
