// cause: __syncwarp waits for one warp, but the tile is filled by eight
// first: race_shared
// says: line 18 has a `__syncwarp()`, which waits for one warp, and these two threads are in two
// asks: Which two lines use the same cell? What must every thread have finished before the second one may start?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int lx = threadIdx.x, ly = threadIdx.y;
    int r = blockIdx.y * TILE + ly;
    int c = blockIdx.x * TILE + lx;
    float sum = 0.0f;
    for (int first = 0; first < K; first += TILE) {
        As[ly][lx] = r < M && first + lx < K ? A[r * K + first + lx] : 0.0f;
        Bs[ly][lx] = first + ly < K && c < N ? B[(first + ly) * N + c] : 0.0f;
        __syncwarp(); // cheaper
        for (int k = 0; k < TILE; k++) {
            sum += As[ly][k] * Bs[k][lx];
        }
        __syncthreads();
    }
    if (r < M && c < N) {
        C[r * N + c] = sum;
    }
}
