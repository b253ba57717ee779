// expect: pass - blocks of 32 x 32 by __launch_bounds__, one barrier per turn thanks to two pairs of tiles
#define TILE 32

extern "C" __global__ void __launch_bounds__(1024)
matmul_tiled(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K)
{
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    int now = 0;
    for (int k0 = 0; k0 < K; k0 += TILE, now ^= 1) {
        As[now][ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
        Bs[now][ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum = fmaf(As[now][ty][k], Bs[now][k][tx], sum);
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}
