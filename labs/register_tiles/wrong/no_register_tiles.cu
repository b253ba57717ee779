// expect: budget shared_wavefronts - right, but one element per thread: tiles of 16 x 16 in shared memory alone

#define TILE 16

extern "C" __global__ void register_tiles(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < K; first += TILE) {
        int a_column = first + threadIdx.x, b_row = first + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = row < M && a_column < K ? A[(size_t)row * K + a_column] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = b_row < K && column < N ? B[(size_t)b_row * N + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < M && column < N)
        C[(size_t)row * N + column] = sum;
}
