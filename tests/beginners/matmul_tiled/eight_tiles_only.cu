// cause: A limit left over from debugging stops after 8 tiles, so products beyond k = 127 are missing.
// first: wrong_value tail
// says: Only the products of k = 0..127 are in the sums, and K is 257.
// asks: Where do the loops that should reach them end, and what do they load there?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    int turns = (K + TILE - 1) / TILE;
    turns = min(turns, 8);      // keeps the printf output short

    for (int t = 0; t < turns; t++) {
        int kc = t * TILE + threadIdx.x;
        int kr = t * TILE + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = (row < M && kc < K) ? A[row * K + kc] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (kr < K && col < N) ? B[kr * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
        //if (row == 0 && col == 0) printf("turn %d: %f\n", t, sum);
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}
