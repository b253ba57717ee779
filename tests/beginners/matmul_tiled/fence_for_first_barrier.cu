// cause: `__threadfence_block();` after loading orders a thread's own writes but makes nobody wait, so threads multiply before other warps have filled their cells (race in shared memory, reads of unwritten cells).
// first: race_shared
// says: shared array Bs[2][0] read by thread (0,0,0) (line 24) and written by thread (0,2,0) (line 19); no barrier between them.
// asks: Which two lines use the same cell? What must every thread have finished before the second one may start?
/* Lab 05: matrix product with tiles in shared memory */
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned row = blockIdx.y * TILE + y;
    unsigned col = blockIdx.x * TILE + x;
    float sum = 0.0f;

    for (unsigned first = 0; first < K; first += TILE) {
        As[y][x] = row < M && first + x < K ? A[row * K + first + x] : 0.0f;
        Bs[y][x] = first + y < K && col < N ? B[(first + y) * N + col] : 0.0f;
        // make the tiles visible to the whole block
        __threadfence_block();

        for (int k = 0; k < TILE; ++k)
            sum += As[y][k] * Bs[k][x];

        // nobody may overwrite them before all are done
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
