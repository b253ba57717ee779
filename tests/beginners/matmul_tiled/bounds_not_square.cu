// cause: 128 threads are asked for, which is not a square number, so the launch is refused (line 8).
// first: launch
// says: matmul_tiled asks for blocks of 128 threads with __launch_bounds__, but its blocks are square and 128 is not a square number.
// asks: Which grid, block, shared memory and arguments does this launch have, and which are allowed?
#define S 32

// 32 x 32 threads, tiles as long rows
extern "C" __global__ void __launch_bounds__(128) matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float ta[S * S];
    __shared__ float tb[S * S];
    int me = threadIdx.y * S + threadIdx.x;
    int row = blockIdx.y * S + threadIdx.y;
    int column = blockIdx.x * S + threadIdx.x;
    float total = 0.f;
    int k0 = 0;
    do {
        int ca = k0 + threadIdx.x;
        int rb = k0 + threadIdx.y;
        ta[me] = (row < M && ca < K) ? A[(size_t)row * K + ca] : 0.f;
        tb[me] = (rb < K && column < N) ? B[(size_t)rb * N + column] : 0.f;
        __syncthreads();
        for (int q = 0; q < S; q++)
            total += ta[threadIdx.y * S + q] * tb[q * S + threadIdx.x];
        __syncthreads();
        k0 += S;
    } while (k0 < K);
    if (row < M && column < N)
        C[(size_t)row * N + column] = total;
}
