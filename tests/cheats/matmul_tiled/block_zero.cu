// expect: at most 94 - the first block computes all tiles of C, one after the other
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int rows = (M + 15) / 16, columns = (N + 15) / 16;
    if (blockIdx.x > 0 || blockIdx.y > 0) {
        return;
    }
    __shared__ float As[16][16], Bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    for (int tile = 0; tile < rows * columns; tile++) {
        int row = tile / columns * 16 + ty, col = tile % columns * 16 + tx;
        float sum = 0.0f;
        for (int k0 = 0; k0 < K; k0 += 16) {
            As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
            Bs[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
            __syncthreads();
            for (int k = 0; k < 16; k++) {
                sum += As[ty][k] * Bs[k][tx];
            }
            __syncthreads();
        }
        if (row < M && col < N) {
            C[row * N + col] = sum;
        }
    }
}
