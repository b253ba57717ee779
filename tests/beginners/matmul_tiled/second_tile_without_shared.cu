// cause: Bs is declared without __shared__ (only the first of the two declarations has it), so each thread has its own Bs with a single cell filled and reads cells that were never written.
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
    float c = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        int k1 = first + threadIdx.x;
        int k2 = first + threadIdx.y;
        if (row < M && k1 < K) As[threadIdx.y][threadIdx.x] = A[row * K + k1];
        else                   As[threadIdx.y][threadIdx.x] = 0.0f;
        if (k2 < K && column < N) Bs[threadIdx.y][threadIdx.x] = B[k2 * N + column];
        else                      Bs[threadIdx.y][threadIdx.x] = 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            c += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }

    if (row < M && column < N) C[row * N + column] = c;
}
