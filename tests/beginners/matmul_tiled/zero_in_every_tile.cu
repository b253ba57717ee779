// cause: The sum is set to 0 in every turn, so only the last tile counts (line 16).
// first: wrong_value one_tile
// says: Line 16 sets tmp to 0 in every turn of the loop in line 15.
// asks: What becomes of the sum from one tile to the next?
// 32 columns, 8 rows; the tiles are 8 x 32 of A and 32 x 32 of B
extern "C" __constant__ int matmul_tiled_block[3] = {32, 8, 1};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tileA[8][32];
    __shared__ float tileB[32][32];
    int cx = threadIdx.x, ly = threadIdx.y;
    int my_row = blockIdx.y * 8 + ly, col = blockIdx.x * 32 + cx;
    float tmp;
    for (int base = 0; base < K; base += 32) {
        tmp = 0;
        tileA[ly][cx] = my_row < M && base + cx < K ? A[my_row * K + base + cx] : 0;
        for (int r = ly; r < 32; r += 8)
            tileB[r][cx] = base + r < K && col < N ? B[(base + r) * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < 32; k++)
            tmp += tileA[ly][k] * tileB[k][cx];
        __syncthreads();
    }
    if (my_row < M && col < N) C[my_row * N + col] = tmp;
}
