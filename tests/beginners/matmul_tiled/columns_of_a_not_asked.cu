// cause: The tile of A is guarded against row < M only, so columns beyond K are read from the next row or behind the array (line 17).
// first: out_of_bounds guarded
// says: read A[0][1], but A has 1 row of 1 element
// asks: Which row and which column did the thread want, and which condition let it through?
#define TS 16
// the tile of A is stored transposed, with a column to spare
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float At[TS][TS + 1];
    __shared__ float tileB[TS][TS + 1];
    int x = threadIdx.x, y = threadIdx.y;
    int ROW = blockIdx.y * blockDim.y + y, jj = blockIdx.x * blockDim.x + x;
    float tmp = 0;
    for (int k0 = 0; k0 < K; k0 += TS) {
        At[x][y] = 0;
        tileB[y][x] = 0;
        if (ROW < M) At[x][y] = A[ROW * K + (k0 + x)];
        if (jj < N && k0 + y < K) tileB[y][x] = B[(k0 + y) * N + jj];
        __syncthreads();
        for (int k = TS - 1; k >= 0; k--)
            tmp += At[k][y] * tileB[k][x];
        __syncthreads();
    }
    if (jj < N)
        if (ROW < M)
            C[ROW * N + jj] = tmp;
}
