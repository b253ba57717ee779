// cause: `As[ty][k ^ tx]`: A's tile is stored with its columns exchanged by `tx ^ ty`, where the second operand is the row of the cell, but read with k ^ tx instead of k ^ ty, so the wrong element of A meets each element of B.
// first: wrong_value exchanged
// says: multiplies As[0][1] (it holds A[0][1]), read at line 24, by Bs[0][1] (it holds B[0][1]), read at line 25. What belongs into C[0][1] is the product of A[0][0] and B[0][1].
// asks: Which line has the wrong cell, the one that fills it or the one that reads it?
/* Lab 05: the columns of the tiles are exchanged with XOR, so that no two lanes meet in a bank */
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        As[ty][tx ^ ty] = (row < M && first + tx < K) ? A[row * K + first + tx] : 0.0f;
        Bs[ty][tx ^ ty] = (first + ty < K && col < N) ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++) {
            float a = As[ty][k ^ tx];
            float b = Bs[k][tx ^ k];
            sum += a * b;
        }
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
