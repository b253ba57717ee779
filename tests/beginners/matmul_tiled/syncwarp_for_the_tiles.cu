// cause: Line 20: __syncwarp() only waits for the warp's own 32 threads, but the tiles are filled by 8 warps, so a warp multiplies cells of Bs that other warps have not stored yet (race in shared memory).
// first: race_shared
// says: line 20 has a `__syncwarp()`, which waits for one warp, and these two threads are in two.
// asks: Which two lines use the same cell? What must every thread have finished before the second one may start?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float s = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        int p = first + threadIdx.x;
        int q = first + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = p < K && row < M ? A[row * K + p] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = q < K && col < N ? B[q * N + col] : 0.0f;
        __syncwarp();       // tiles are ready

        for (int k = 0; k < TILE; k++)
            s += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();    // before they are overwritten
    }

    if (row < M && col < N)
        C[row * N + col] = s;
}
