// cause: t is unsigned, so t >= 0 is always true, after tile 0 it wraps to 4294967295 and the loop never ends.
// first: fuel unsigned
// says: t is unsigned, so t >= 0 is always true
// asks: Which values can this variable have? Can it ever be below 0?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    unsigned row = blockIdx.y * TILE + threadIdx.y;
    unsigned col = blockIdx.x * TILE + threadIdx.x;
    unsigned tiles = (K + TILE - 1) / TILE;
    float sum = 0.0f;

    // go from the last tile (the ragged one) to the first
    for (unsigned t = tiles - 1; t >= 0; t--) {
        unsigned ka = t * TILE + threadIdx.x;
        unsigned kb = t * TILE + threadIdx.y;

        As[threadIdx.y][threadIdx.x] = (row < M && ka < K) ? A[row * K + ka] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (kb < K && col < N) ? B[kb * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
