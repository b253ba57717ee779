// cause: The columns and rows of matmul_tiled_items are exchanged, so the grid does not cover C as the kernel assumes (line 7).
// first: never_written items_xy
// says: In block (0,0,0), line 29 stores elements from C[row 0, column 0] to C[row 15, column 15], line 30 stores elements from C[row 16, column 0] to C[row 16, column 15].
// asks: For how many columns and rows does the lab start one block, and how many of each does a block of this kernel store?
// each thread makes two elements of C, one above the other: 16 columns, 32 rows per block
extern "C" __constant__ int matmul_tiled_block[3] = {16, 16, 1};
extern "C" __constant__ int matmul_tiled_items[2] = {32, 16};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[32][16];
    __shared__ float b[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int jj = blockIdx.x * 16 + x;
    int row0 = blockIdx.y * 32 + y, row1 = row0 + 16;
    float s0 = 0, s1 = 0;
    for (int f = 0; f < K; f += 16) {
        a[y][x] = row0 < M && f + x < K ? A[row0 * K + f + x] : 0;
        a[y + 16][x] = row1 < M && f + x < K ? A[row1 * K + f + x] : 0;
        b[y][x] = f + y < K && jj < N ? B[(f + y) * N + jj] : 0;
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            float v = b[k][x];
            s0 += a[y][k] * v;
            s1 += a[y + 16][k] * v;
        }
        __syncthreads();
    }
    if (row0 < M && jj < N) C[row0 * N + jj] = s0;
    if (row1 < M && jj < N) C[row1 * N + jj] = s1;
}
