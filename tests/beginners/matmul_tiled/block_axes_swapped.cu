// cause: blockIdx.x for rows, blockIdx.y for columns
// first: never_written not_reached
// says: Line 27 stores into C, but no thread of block (1,0,0) came to it. The last line that they ran is line 26.
// asks: What sends the thread in the message past the store, and with which values?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tileA[TILE][TILE];
    __shared__ float tileB[TILE][TILE];
    int bx = blockIdx.y, by = blockIdx.x;
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = by * TILE + ty;
    int col = bx * TILE + tx;
    float total = 0;

    for (int base = 0; base < K; base += TILE) {
        tileA[ty][tx] = row < M && base + tx < K ? A[row * K + base + tx] : 0.0f;
        tileB[ty][tx] = base + ty < K && col < N ? B[(base + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            total += tileA[ty][k] * tileB[k][tx];
        }
        __syncthreads();
    }
    if (row < M && col < N) {
        C[row * N + col] = total;
    }
}
