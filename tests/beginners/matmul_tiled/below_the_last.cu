// cause: last is the index of the last k of the tile, but the loop in line 28 runs only while k < last, so the last product of every tile is missing.
// first: wrong_value tail
// says: The last product of every sum is missing, that of k = 15.
// asks: Where does the loop over k end?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    const int i = blockIdx.y * TILE + threadIdx.y;
    const int j = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        // a shorter tile at the end
        const int last = min(first + TILE, K) - first - 1;

        As[threadIdx.y][threadIdx.x] = 0.0f;
        Bs[threadIdx.y][threadIdx.x] = 0.0f;
        if (i < M && first + threadIdx.x < K)
            As[threadIdx.y][threadIdx.x] = A[i * K + first + threadIdx.x];
        if (j < N && first + threadIdx.y < K)
            Bs[threadIdx.y][threadIdx.x] = B[(first + threadIdx.y) * N + j];
        __syncthreads();

        for (int k = 0; k < last; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }

    if (i < M && j < N)
        C[i * N + j] = sum;
}
