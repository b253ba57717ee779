// cause: `return c * rows + r;`: all three matrices are indexed column by column as in MATLAB or Fortran, but the lab stores them row by row, so other elements are multiplied and stored in other places.
// first: wrong_value exchanged
// says: Bs[1][0] was filled at line 26, by thread (0,1,0).
// asks: Which row and column of B does line 26 compute there?
/* Lab 05 */
#define TILE 16

// place of element (r, c) in a matrix
__device__ int sub2ind(int rows, int r, int c)
{
    return c * rows + r;
}

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int r = blockIdx.y * TILE + threadIdx.y;
    int c = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        int ka = first + threadIdx.x;
        int kb = first + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = (r < M && ka < K) ? A[sub2ind(M, r, ka)] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (kb < K && c < N) ? B[sub2ind(K, kb, c)] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }

    if (r < M && c < N)
        C[sub2ind(M, r, c)] = sum;
}
