// cause: sum is declared inside the loop and used after it
// first: compile name
// says: sum is declared at line 17, within braces or a for that have ended before this line. Declare it before them.
// asks:
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int r = blockIdx.y * TILE + ty;
    int c = blockIdx.x * TILE + tx;

    for (int k0 = 0; k0 < K; k0 += TILE) {
        float sum = 0.0f;
        As[ty][tx] = r < M && k0 + tx < K ? A[r * K + k0 + tx] : 0.0f;
        Bs[ty][tx] = k0 + ty < K && c < N ? B[(k0 + ty) * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            sum += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
    }

    if (r < M && c < N) {
        C[r * N + c] = sum;
    }
}
