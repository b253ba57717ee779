// expect: at most 88 - one thread of each block loads the tiles and computes all 256 elements; the others burn instructions

// Dead work for threads that have none: nothing of it reaches memory.
__device__ void burn(int turns)
{
    for (int k = 0; k < turns; k++) {
        asm volatile("{ .reg .b32 t; mov.b32 t, 1; mov.b32 t, 2; mov.b32 t, 3; mov.b32 t, 4; mov.b32 t, 5; mov.b32 t, 6; }");
    }
}

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[16][16], Bs[16][16], sums[16][16];
    int row0 = blockIdx.y * 16, col0 = blockIdx.x * 16;
    if (threadIdx.x > 0 || threadIdx.y > 0) {
        burn(4 * K);
        return;
    }
    for (int e = 0; e < 256; e++) {
        sums[e / 16][e % 16] = 0.0f;
    }
    for (int k0 = 0; k0 < K; k0 += 16) {
        for (int e = 0; e < 256; e++) {
            int r = e / 16, c = e % 16;
            As[r][c] = row0 + r < M && k0 + c < K ? A[(row0 + r) * K + k0 + c] : 0.0f;
            Bs[r][c] = k0 + r < K && col0 + c < N ? B[(k0 + r) * N + col0 + c] : 0.0f;
        }
        for (int e = 0; e < 256; e++) {
            float sum = sums[e / 16][e % 16];
            for (int k = 0; k < 16; k++) {
                sum += As[e / 16][k] * Bs[k][e % 16];
            }
            sums[e / 16][e % 16] = sum;
        }
    }
    for (int e = 0; e < 256; e++) {
        if (row0 + e / 16 < M && col0 + e % 16 < N) {
            C[(row0 + e / 16) * N + col0 + e % 16] = sums[e / 16][e % 16];
        }
    }
}
