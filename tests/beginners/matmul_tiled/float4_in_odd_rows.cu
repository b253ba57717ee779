// cause: the float4 load from A needs an index that is a multiple of 4, but row * K + k is not when K is not a multiple of 4 (misaligned access in the rows from 1 on).
// first: misaligned
// says: read of 16 bytes at an address that is not a multiple of 16 (byte 68 of A)
// asks: Which alignment does this access require?
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
        // 4 threads load a row of A's tile, 16 bytes each
        if (tx < TILE / 4) {
            int k = first + 4 * tx;
            float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            if (row < M) {
                if (k + 3 < K) {
                    v = *(const float4 *)(A + row * K + k);
                } else {
                    // the rest one by one
                    if (k < K)     v.x = A[row * K + k];
                    if (k + 1 < K) v.y = A[row * K + k + 1];
                    if (k + 2 < K) v.z = A[row * K + k + 2];
                }
            }
            As[ty][4 * tx]     = v.x;
            As[ty][4 * tx + 1] = v.y;
            As[ty][4 * tx + 2] = v.z;
            As[ty][4 * tx + 3] = v.w;
        }
        Bs[ty][tx] = (first + ty < K && col < N) ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
