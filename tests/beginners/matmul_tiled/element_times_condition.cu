// cause: Lines 20 and 21: cells beyond the edge are made 0 by multiplying a clamped element with false; if that element (last column or row) is an infinity or NaN, 0 times it is NaN, so the test with special values gets NaN instead of an infinity.
// first: wrong_value special_nan
// says: Line 20 multiplies an element by the condition (row < M && ka < K): where that is false, it is multiplied by 0.
// asks: On which line does a NaN arise, or come in from another row or column?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        const int ka = first + tx, kb = first + ty;

        // branch free, so the warp does not diverge
        As[ty][tx] = A[min(row, M - 1) * K + min(ka, K - 1)] * (row < M && ka < K);
        Bs[ty][tx] = B[min(kb, K - 1) * N + min(col, N - 1)] * (kb < K && col < N);
        __syncthreads();

#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
