// cause: the column of A's element is taken from threadIdx.y instead of threadIdx.x, so all cells of a tile row hold the same wrong element
// first: wrong_value exchanged
// says: C[0][0] is made of 16 x A[0][0], and should be made of A[0][0..15].
// asks: Which row and column of A does line 16 compute there?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int y_global = blockIdx.y * TILE + ty;
    int x_global = blockIdx.x * TILE + tx;
    float acc = 0.0f;
    for (int first = 0; first < K; first += TILE) {
        As[ty][tx] = y_global < M && first + ty < K ? A[y_global * K + first + ty] : 0.0f;
        Bs[ty][tx] = first + ty < K && x_global < N ? B[(first + ty) * N + x_global] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            acc += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
    }
    if (y_global < M && x_global < N) {
        C[y_global * N + x_global] = acc;
    }
}
