// cause: The store into C asks only for the row, so columns beyond N go into the next row or behind the array (line 25).
// first: out_of_bounds guarded
// says: write C[0][1], but C has 1 row of 1 element
// asks: Which row and which column did the thread want, and which condition let it through?
#define TILE_WIDTH 16
// the tile of A is stored transposed, with a column to spare
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float At[TILE_WIDTH][TILE_WIDTH + 1];
    __shared__ float Bds[TILE_WIDTH][TILE_WIDTH + 1];
    int x = threadIdx.x, y = threadIdx.y;
    int ROW = blockIdx.y * blockDim.y + y, jj = blockIdx.x * blockDim.x + x;
    float tmp = 0;
    for (int ph = 0; ph < K; ph += TILE_WIDTH) {
        At[x][y] = 0;
        Bds[y][x] = 0;
        if (ROW < M && ph + x < K) At[x][y] = A[ROW * K + (ph + x)];
        if (jj < N && ph + y < K) Bds[y][x] = B[(ph + y) * N + jj];
        __syncthreads();
        for (int k = TILE_WIDTH - 1; k >= 0; k--)
            tmp += At[k][y] * Bds[k][x];
        __syncthreads();
    }
    if (ROW < M)
        C[ROW * N + jj] = tmp;
}
