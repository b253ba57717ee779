// cause: the sum is an int
// first: wrong_value typed
// says: With other inputs, whole numbers from 1 to 11 and powers of 64 up to 2^18, the result is right: each element counts as often as it should.
// asks: What becomes of a fraction, or of a negative number, on its way?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    int sum = 0;
    for (int first = 0; first < K; first += TILE) {
        As[threadIdx.y][threadIdx.x] = row < M && first + threadIdx.x < K ? A[row * K + first + threadIdx.x] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = first + threadIdx.y < K && column < N ? B[(first + threadIdx.y) * N + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < M && column < N)
        C[row * N + column] = sum;
}
