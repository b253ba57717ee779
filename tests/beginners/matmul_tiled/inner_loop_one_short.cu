// cause: The inner loop ends at TILE - 1, so the last product of each tile is missing (line 19).
// first: wrong_value missing
// says: A[0][15] is read once, at line 16 by thread (15,0,0) of block (0,0,0).
// asks: Which line should add this product, and for which k does it run?
#define TS 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tileA[TS][TS];
    __shared__ float Bds[TS][TS];
    int tx = threadIdx.x, ly = threadIdx.y;
    int row = blockIdx.y * TS + ly;
    int spalte = blockIdx.x * TS + tx;
    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TS) {
        tileA[ly][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
        Bds[ly][tx] = k0 + ly < K && spalte < N ? B[(k0 + ly) * N + spalte] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TS - 1; k++)
            sum += tileA[ly][k] * Bds[k][tx];
        __syncthreads();
    }
    if (row < M && spalte < N)
        C[row * N + spalte] = sum;
}
