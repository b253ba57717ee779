// cause: beyond the edge of B its last row is repeated, and 0 times infinity is NaN
// first: wrong_value special_nan
// says: Infinity times 0 is NaN, and so is infinity minus infinity.
// asks: On which line does a NaN arise, or come in from another row or column?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int r = blockIdx.y * TILE + ty;
    int c = blockIdx.x * TILE + tx;
    float total = 0.0f;
    for (int base = 0; base < K; base += TILE) {
        a_tile[ty][tx] = r < M && base + tx < K ? A[r * K + base + tx] : 0.0f;
        // no branch needed for B, A is zero there
        b_tile[ty][tx] = B[min(base + ty, K - 1) * N + min(c, N - 1)];
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            total += a_tile[ty][k] * b_tile[k][tx];
        }
        __syncthreads();
    }
    if (r < M && c < N) {
        C[r * N + c] = total;
    }
}
