// cause: first already is the first k of the tile (it grows by TILE), and it is multiplied by TILE once more, so the second tile begins at k = 256 instead of 16 and all k in between are left out.
// first: wrong_value zeroed
// says: After k = 15, the thread that stores it multiplies As[0][0] by Bs[0][0] at line 34, and both hold 0. There belong A[0][16] and B[16][0].
// asks: Which row and column do the loads compute in that turn of the loop, and what do their conditions ask?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    // Declare two tiles
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = threadIdx.y + blockIdx.y * TILE;
    int column = threadIdx.x + blockIdx.x * TILE;
    float res = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        // Load one element of A's tile and one of B's.
        int a_column = first * TILE + threadIdx.x;
        int b_row = first * TILE + threadIdx.y;
        float a = 0.0f;
        float b = 0.0f;
        if (row < M && a_column < K) {
            a = A[row * K + a_column];
        }
        if (column < N && b_row < K) {
            b = B[b_row * N + column];
        }
        As[threadIdx.y][threadIdx.x] = a;
        Bs[threadIdx.y][threadIdx.x] = b;
        __syncthreads();

        // Multiply the two tiles.
        for (int k = 0; k < TILE; k++) {
            res += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        }
        __syncthreads();
    }

    // Store the element, if C has it.
    if (row < M && column < N) {
        C[row * N + column] = res;
    }
}
