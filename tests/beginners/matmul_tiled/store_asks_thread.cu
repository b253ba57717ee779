// cause: the guard of the store asks about threadIdx.y and threadIdx.x instead of row and col, so threads of tiles that stick out of C store outside of it (or into the next row).
// first: out_of_bounds guarded
// says: write C[17][0], but C has 17 rows of 17 elements
// asks: Which row and which column did the thread want, and which condition let it through?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;

    float c_value = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        float *a = &As[threadIdx.y][threadIdx.x];
        float *b = &Bs[threadIdx.y][threadIdx.x];
        *a = 0.0f;
        *b = 0.0f;
        if (row < M && first + threadIdx.x < K)
            *a = A[row * K + first + threadIdx.x];
        if (col < N && first + threadIdx.y < K)
            *b = B[(first + threadIdx.y) * N + col];
        __syncthreads();

        for (int e = 0; e < TILE; e++)
            c_value += As[threadIdx.y][e] * Bs[e][threadIdx.x];
        __syncthreads();
    }

    if (threadIdx.y < M && threadIdx.x < N)
        C[row * N + col] = c_value;
}
