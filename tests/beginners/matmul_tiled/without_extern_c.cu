// cause: extern "C" is missing, so the kernel is not found by its name (line 8).
// first: kernel_missing
// says: Write: extern "C" __global__ void matmul_tiled(...)
// asks:
#define N_TILE 16
#define INSIDE(r, rows, c, cols) ((r) < (rows) && (c) < (cols))

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float left[N_TILE][N_TILE];
    __shared__ float right[N_TILE][N_TILE];
    unsigned r = blockIdx.y * N_TILE + threadIdx.y;
    unsigned c = blockIdx.x * N_TILE + threadIdx.x;
    const float *pa = A + r * (size_t)K;       // my my_row of A
    float value = 0;
    for (unsigned k0 = 0; k0 < (unsigned)K; k0 += N_TILE) {
        unsigned kx = k0 + threadIdx.x, ky = k0 + threadIdx.y;
        __syncthreads();                       // all are done with the old tiles
        left[threadIdx.y][threadIdx.x] = INSIDE(r, M, kx, K) ? pa[kx] : 0.0f;
        right[threadIdx.y][threadIdx.x] = INSIDE(ky, K, c, N) ? B[ky * (size_t)N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < N_TILE; k++)
            value += left[threadIdx.y][k] * right[k][threadIdx.x];
    }
    if (INSIDE(r, M, c, N))
        C[r * (size_t)N + c] = value;
}
