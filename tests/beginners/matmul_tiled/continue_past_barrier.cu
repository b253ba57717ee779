// cause: threads outside of C leave the turn with continue, and miss the second barrier
// first: barrier_divergent jump
// says: The `continue` in line 20 leaves out the rest of the turn, the barrier with it.
// asks: Which threads take the jump that the message names, and which barriers do they miss by it?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int y_global = blockIdx.y * TILE + ty;
    int x_global = blockIdx.x * TILE + tx;
    float acc = 0.0f;
    for (int base = 0; base < K; base += TILE) {
        a_tile[ty][tx] = y_global < M && base + tx < K ? A[y_global * K + base + tx] : 0.0f;
        b_tile[ty][tx] = base + ty < K && x_global < N ? B[(base + ty) * N + x_global] : 0.0f;
        __syncthreads();
        // nothing to compute out here, only loading
        if (y_global >= M || x_global >= N) continue;
        for (int k = 0; k < TILE; k++) {
            acc += a_tile[ty][k] * b_tile[k][tx];
        }
        __syncthreads();
    }
    if (y_global < M && x_global < N)
        C[y_global * N + x_global] = acc;
}
