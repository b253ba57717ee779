// cause: the tile of A is declared int, so the fractions of A's elements are cut off
// first: wrong_value typed
// says: With other inputs, whole numbers from 1 to 11 and powers of 64 up to 2^18, the result is right: each element counts as often as it should.
// asks: What becomes of a fraction, or of a negative number, on its way?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int tileA[TILE][TILE];
    __shared__ float tileB[TILE][TILE];
    int lx = threadIdx.x, ly = threadIdx.y;
    int row = blockIdx.y * TILE + ly;
    int col = blockIdx.x * TILE + lx;
    float acc = 0.0f;
    for (int base = 0; base < K; base += TILE) {
        tileA[ly][lx] = row < M && base + lx < K ? A[row * K + base + lx] : 0.0f;
        tileB[ly][lx] = base + ly < K && col < N ? B[(base + ly) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            acc += tileA[ly][k] * tileB[k][lx];
        }
        __syncthreads();
    }
    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}
