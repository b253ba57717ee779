// cause: Line 23: k is unsigned, so k >= 0 is always true: after 0 it wraps to 4294967295, the loop never ends and reads outside the tiles.
// first: fuel unsigned
// says: the loop at line 23 never ends: k is unsigned, so k >= 0 is always true
// asks: Which values can this variable have? Can it ever be below 0?
#define TILE 16u

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    unsigned tx = threadIdx.x;
    unsigned ty = threadIdx.y;
    unsigned row = blockIdx.y * TILE + ty;
    unsigned col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (unsigned first = 0; first < K; first += TILE) {
        As[ty][tx] = (row < M && first + tx < K) ? A[row * K + first + tx] : 0.0f;
        Bs[ty][tx] = (first + ty < K && col < N) ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();

        // backwards, as in the exercise sheet
        for (unsigned k = TILE - 1; k >= 0; k--)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
