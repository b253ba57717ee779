// cause: the pointer into B moves on by 16 elements in a row instead of by 16 rows of N elements
// first: wrong_value exchanged
// says: C[0][0] is made of B[0..15][0] and B[0][16], and should be made of B[0..16][0].
// asks: Which row and column of B does line 19 compute there?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float sA[TILE][TILE];
    __shared__ float sB[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int myRow = blockIdx.y * TILE + ty;
    int myCol = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    const float *a = A + myRow * K + tx;
    const float *b = B + ty * N + myCol;
    for (int base = 0; base < K; base += TILE, a += TILE) {
        sA[ty][tx] = myRow < M && base + tx < K ? *a : 0.0f;
        sB[ty][tx] = base + ty < K && myCol < N ? *b : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            sum += sA[ty][k] * sB[k][tx];
        }
        __syncthreads();
        b += TILE;
    }
    if (myRow < M && myCol < N) {
        C[myRow * N + myCol] = sum;
    }
}
