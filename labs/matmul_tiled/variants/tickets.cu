// expect: pass - blocks take their tiles of C from a counter
#define TILE 16

__device__ unsigned next_tile, finished;

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    __shared__ unsigned tile;
    const int x = threadIdx.x, y = threadIdx.y;
    const unsigned across = (N + TILE - 1) / TILE, tiles = across * ((M + TILE - 1) / TILE);
    while (true) {
        if (x == 0 && y == 0)
            tile = atomicAdd(&next_tile, 1);
        __syncthreads();
        const unsigned mine = tile;
        __syncthreads();   // before the next tile is taken
        if (mine >= tiles)
            break;
        const int row = mine / across * TILE + y, column = mine % across * TILE + x;
        float sum = 0;
        for (int k = 0; k < K; k += TILE) {
            a[y][x] = row < M && k + x < K ? A[row * K + k + x] : 0;
            b[y][x] = k + y < K && column < N ? B[(k + y) * N + column] : 0;
            __syncthreads();
            for (int j = 0; j < TILE; j++)
                sum += a[y][j] * b[j][x];
            __syncthreads();
        }
        if (row < M && column < N)
            C[row * N + column] = sum;
    }
    __threadfence();
    if (x == 0 && y == 0 && atomicAdd(&finished, 1) == gridDim.x * gridDim.y - 1) {
        atomicExch(&next_tile, 0);   // for the next launch
        atomicExch(&finished, 0);
    }
}
