// cause: C starts as rubbish
// first: uninitialized output
// says: C[0][0] is computed from C[0][0], which was never written: it is read at line 20 and goes into the result at
// asks: What is in C before the launch?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    for (int first = 0; first < K; first += TILE) {
        As[threadIdx.y][threadIdx.x] = row < M && first + threadIdx.x < K ? A[row * K + first + threadIdx.x] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = first + threadIdx.y < K && column < N ? B[(first + threadIdx.y) * N + column] : 0.0f;
        __syncthreads();
        float sum = 0;
        for (int k = 0; k < TILE; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
        if (row < M && column < N)
            C[row * N + column] += sum;
    }
}
