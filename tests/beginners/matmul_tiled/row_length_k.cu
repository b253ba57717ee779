// cause: the result is stored with K as the row length of C, which has N columns
// first: out_of_bounds row_length
// says: write C[15][0], but C has 15 rows of 31 elements
// asks: How long is a row of C, and with what does this line multiply the number of the row?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int r = blockIdx.y * TILE + ty;
    int c = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int k0 = 0; k0 < K; k0 += TILE) {
        As[ty][tx] = r < M && k0 + tx < K ? A[r * K + k0 + tx] : 0.0f;
        Bs[ty][tx] = k0 + ty < K && c < N ? B[(k0 + ty) * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            sum += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
    }

    if (r < M) {
        if (c < N) {
            C[r * K + c] = sum;
        }
    }
}
