// expect: pass - a warp computes 16 x 32 elements; it keeps A in registers and passes it on with shuffles, without any tile
extern "C" __constant__ int matmul_tiled_block[3] = {32, 1, 1};
extern "C" __constant__ int matmul_tiled_items[2] = {32, 16};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int lane = threadIdx.x, row = blockIdx.y * 16, col = blockIdx.x * 32 + lane;
    float sum[16] = {}, a[16];
    for (int k0 = 0; k0 < K; k0 += 32) {
        for (int r = 0; r < 16; r++) {
            a[r] = row + r < M && k0 + lane < K ? A[(row + r) * K + k0 + lane] : 0.0f;
        }
        for (int k = 0; k < 32 && k0 + k < K; k++) {
            float b = col < N ? B[(k0 + k) * N + col] : 0.0f;
#pragma unroll
            for (int r = 0; r < 16; r++) {
                sum[r] += __shfl_sync(0xffffffffu, a[r], k) * b;
            }
        }
    }
    for (int r = 0; r < 16; r++) {
        if (row + r < M && col < N) {
            C[(row + r) * N + col] = sum[r];
        }
    }
}
