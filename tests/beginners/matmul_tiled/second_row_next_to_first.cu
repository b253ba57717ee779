// cause: The second element of a thread is one row below the first instead of 16 rows below, so rows 17 to 31 of each block are never computed (line 15).
// first: never_written overlap
// says: In block (0,0,0), line 29 stores elements from C[row 0, column 0] to C[row 15, column 15], line 30 stores elements from C[row 1, column 0] to C[row 16, column 15].
// asks: What is the index of line 30 made of, and which value has each part in the thread of the message?
// each thread makes two elements of C, one above the other: 16 columns, 32 rows per block
extern "C" __constant__ int matmul_tiled_block[3] = {16, 16, 1};
extern "C" __constant__ int matmul_tiled_items[2] = {16, 32};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[32][16];
    __shared__ float b[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int my_col = blockIdx.x * 16 + x;
    int row0 = blockIdx.y * 32 + y, row1 = row0 + 1;
    float s0 = 0, s1 = 0;
    for (int f = 0; f < K; f += 16) {
        a[y][x] = row0 < M && f + x < K ? A[row0 * K + f + x] : 0;
        a[y + 16][x] = row1 < M && f + x < K ? A[row1 * K + f + x] : 0;
        b[y][x] = f + y < K && my_col < N ? B[(f + y) * N + my_col] : 0;
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            float v = b[k][x];
            s0 += a[y][k] * v;
            s1 += a[y + 16][k] * v;
        }
        __syncthreads();
    }
    if (row0 < M && my_col < N) C[row0 * N + my_col] = s0;
    if (row1 < M && my_col < N) C[row1 * N + my_col] = s1;
}
