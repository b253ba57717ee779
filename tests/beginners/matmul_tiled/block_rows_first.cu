// cause: Line 8: the block is given as {8, 32}, rows first, but the setting wants columns first; with 8 x 32 threads the kernel, written for 32 x 8, indexes the tiles with rows up to 55 and fills only 8 columns.
// first: out_of_bounds asked
// says: write sA[32][0], but sA has 32 rows of 32 elements
// asks: How many threads does a block have along x and along y, and for how many is the kernel written?
#define TILE  32
#define TROWS 8

extern "C" __constant__ int matmul_tiled_block[3] = {TROWS, TILE, 1};
extern "C" __constant__ int matmul_tiled_items[2] = {TILE, TILE};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float sA[TILE][TILE];
    __shared__ float sB[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int r0 = blockIdx.y * TILE + ty;
    int c = blockIdx.x * TILE + tx;
    float sum[4] = {0, 0, 0, 0};

    for (int first = 0; first < K; first += TILE) {
        for (int j = 0; j < TILE; j += TROWS) {
            int r = r0 + j;
            int kb = first + ty + j;
            sA[ty + j][tx] = r < M && first + tx < K ? A[r * K + first + tx] : 0.f;
            sB[ty + j][tx] = kb < K && c < N ? B[kb * N + c] : 0.f;
        }
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            for (int j = 0; j < 4; j++)
                sum[j] += sA[ty + j * TROWS][k] * sB[k][tx];
        __syncthreads();
    }
    for (int j = 0; j < 4; j++)
        if (r0 + j * TROWS < M && c < N)
            C[(r0 + j * TROWS) * N + c] = sum[j];
}
