// cause: The tile of B is filled only in its first 8 rows, as one row for each ty, while 32 are used (line 17).
// first: uninitialized stored_cells
// says: C[0][0] is computed from Bs[8][0], which was never written: it is read at line 20 and goes into the result at line 23
// asks: Which cells of Bs should these lines fill, and which do they fill?
// 32 columns, 8 rows; the tiles are 8 x 32 of A and 32 x 32 of B
extern "C" __constant__ int matmul_tiled_block[3] = {32, 8, 1};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[8][32];
    __shared__ float Bs[32][32];
    int x_ = threadIdx.x, ly = threadIdx.y;
    int ROW = blockIdx.y * 8 + ly, my_col = blockIdx.x * 32 + x_;
    float tmp = 0;
    for (int base = 0; base < K; base += 32) {
        As[ly][x_] = ROW < M && base + x_ < K ? A[ROW * K + base + x_] : 0;
        Bs[ly][x_] = base + ly < K && my_col < N ? B[(base + ly) * N + my_col] : 0;
        __syncthreads();
        for (int k = 0; k < 32; k++)
            tmp += As[ly][k] * Bs[k][x_];
        __syncthreads();
    }
    if (ROW < M && my_col < N) C[ROW * N + my_col] = tmp;
}
