// expect: pass - 64 x 64 elements per block of 16 x 16 threads: each thread keeps 4 x 4 sums in registers
#define TILE 16
#define EACH 4

// Columns and rows of C that one block computes.
extern "C" __constant__ int matmul_tiled_items[2] = {TILE * EACH, TILE * EACH};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE * EACH][TILE + 1];
    __shared__ float Bs[TILE][TILE * EACH];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row0 = blockIdx.y * TILE * EACH, col0 = blockIdx.x * TILE * EACH;
    float sum[EACH][EACH] = {};
    for (int k0 = 0; k0 < K; k0 += TILE) {
        for (int q = 0; q < EACH; q++) {
            int row = row0 + ty + q * TILE, col = col0 + tx + q * TILE;
            As[ty + q * TILE][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
            Bs[ty][tx + q * TILE] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            for (int r = 0; r < EACH; r++) {
                for (int c = 0; c < EACH; c++) {
                    sum[r][c] += As[ty + r * TILE][k] * Bs[k][tx + c * TILE];
                }
            }
        }
        __syncthreads();
    }
    for (int r = 0; r < EACH; r++) {
        for (int c = 0; c < EACH; c++) {
            int row = row0 + ty + r * TILE, col = col0 + tx + c * TILE;
            if (row < M && col < N) {
                C[row * N + col] = sum[r][c];
            }
        }
    }
}
