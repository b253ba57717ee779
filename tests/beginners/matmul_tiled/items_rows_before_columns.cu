// cause: `matmul_tiled_items[2] = {ROWS, COLUMNS};`: columns come first there, so the grid is made for 32 columns and 64 rows per block while the kernel covers 64 columns and 32 rows, and from M = 33 on rows are never written.
// first: never_written items_xy
// says: Because of line 10, there is a block for every 32 columns and 64 rows of C.
// asks: For how many columns and rows does the lab start one block, and how many of each does a block of this kernel store?
/* Lab 05: each block makes a piece of C of 32 rows and 64 columns */
#define ROWS 32
#define COLUMNS 64
#define DEPTH 16

extern "C" __constant__ int matmul_tiled_items[2] = {ROWS, COLUMNS};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[ROWS][DEPTH];
    __shared__ float Bs[DEPTH][COLUMNS];
    int tid = threadIdx.y * blockDim.x + threadIdx.x;
    int row0 = blockIdx.y * ROWS;
    int col0 = blockIdx.x * COLUMNS;
    float acc[ROWS / 16][COLUMNS / 16] = {};

    for (int first = 0; first < K; first += DEPTH) {
        for (int l = tid; l < ROWS * DEPTH; l += 256) {
            int r = row0 + l / DEPTH, k = first + l % DEPTH;
            As[l / DEPTH][l % DEPTH] = r < M && k < K ? A[r * K + k] : 0.0f;
        }
        for (int l = tid; l < DEPTH * COLUMNS; l += 256) {
            int k = first + l / COLUMNS, c = col0 + l % COLUMNS;
            Bs[l / COLUMNS][l % COLUMNS] = k < K && c < N ? B[k * N + c] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < DEPTH; k++)
            for (int i = 0; i < ROWS / 16; i++)
                for (int j = 0; j < COLUMNS / 16; j++)
                    acc[i][j] += As[threadIdx.y + 16 * i][k] * Bs[k][threadIdx.x + 16 * j];
        __syncthreads();
    }

    for (int i = 0; i < ROWS / 16; i++)
        for (int j = 0; j < COLUMNS / 16; j++) {
            int r = row0 + threadIdx.y + 16 * i;
            int c = col0 + threadIdx.x + 16 * j;
            if (r < M && c < N)
                C[r * N + c] = acc[i][j];
        }
}
