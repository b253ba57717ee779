// cause: =+ is an assignment of +(product), not +=, so acc holds only the last product of the last tile instead of the sum.
// first: wrong_value missing
// says: A[0][0..14] are missing in C[0][0], which has only A[0][15].
// asks: Read the operator character by character: what does it store?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float acc = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        As[y][x] = row < M && first + x < K ? A[row * K + first + x] : 0.0f;
        Bs[y][x] = col < N && first + y < K ? B[(first + y) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            acc =+ As[y][k] * Bs[k][x];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = acc;
}
