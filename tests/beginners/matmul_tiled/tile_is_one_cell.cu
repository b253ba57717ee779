// cause: both tiles use the cell [threadIdx.x] only
// first: race_warp same_element
// says: one statement stores there from both threads
// asks: Two threads of one warp use the same cell in the same phase. Which index do they share?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE], Bs[TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < K; first += TILE) {
        As[threadIdx.x] = row < M && first + threadIdx.x < K ? A[row * K + first + threadIdx.x] : 0.0f;
        Bs[threadIdx.y] = first + threadIdx.y < K && column < N ? B[(first + threadIdx.y) * N + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[k] * Bs[k];
        __syncthreads();
    }
    if (row < M && column < N)
        C[row * N + column] = sum;
}
