// cause: Line 10: Bs is declared without __shared__, so each thread has an array of its own in which it fills only one cell, and the multiplication reads the others uninitialised.
// first: not_shared
// says: Bs is declared without __shared__, so each thread has an array of its own
// asks: Which threads store into this array, and which ones read what was stored?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    float Bs[TILE][TILE];

    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;

    for (int first = 0; first < K; first += TILE) {
        // A
        if (row < M && (first + threadIdx.x) < K)
            As[threadIdx.y][threadIdx.x] = A[row * K + first + threadIdx.x];
        else
            As[threadIdx.y][threadIdx.x] = 0;
        // B
        if ((first + threadIdx.y) < K && column < N)
            Bs[threadIdx.y][threadIdx.x] = B[(first + threadIdx.y) * N + column];
        else
            Bs[threadIdx.y][threadIdx.x] = 0;

        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }

    if (row < M && column < N)
        C[row * N + column] = sum;
}
