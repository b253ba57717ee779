// cause: The row length of A is taken to be M instead of K (line 20).
// first: out_of_bounds row_length
// says: read A[40][0], but A has 40 rows of 1 element
// asks: How long is a row of A, and with what does this line multiply the number of the row?
#define S 32

// 32 x 32 threads, tiles as long rows
extern "C" __global__ void __launch_bounds__(1024) matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
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
        ta[me] = (row < M && ca < K) ? A[(size_t)row * M + ca] : 0.f;
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
