// cause: The tile of B is guarded against its row only, so columns beyond N are read from the next row or behind the array (line 18).
// first: out_of_bounds guarded
// says: read B[1][0], but B has 1 row of 1 element
// asks: Which row and which column did the thread want, and which condition let it through?
// 32 columns, 8 rows; the tiles are 8 x 32 of A and 32 x 32 of B
extern "C" __constant__ int matmul_tiled_block[3] = {32, 8, 1};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tileA[8][32];
    __shared__ float tileB[32][32];
    int lx = threadIdx.x, cy = threadIdx.y;
    int row = blockIdx.y * 8 + cy, spalte = blockIdx.x * 32 + lx;
    float Cvalue = 0;
    for (int base = 0; base < K; base += 32) {
        tileA[cy][lx] = row < M && base + lx < K ? A[row * K + base + lx] : 0;
        for (int r = cy; r < 32; r += 8)
            tileB[r][lx] = base + r < K ? B[(base + r) * N + spalte] : 0;
        __syncthreads();
        for (int k = 0; k < 32; k++)
            Cvalue += tileA[cy][k] * tileB[k][lx];
        __syncthreads();
    }
    if (row < M && spalte < N) C[row * N + spalte] = Cvalue;
}
