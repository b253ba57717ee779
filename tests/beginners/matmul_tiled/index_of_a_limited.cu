// cause: The index into A is clamped to K - 1 instead of filling with 0, so an infinity there meets the 0 of the other tile and gives NaN (line 16).
// first: wrong_value special_nan
// says: Line 16 limits an index by min(): where it would go beyond the edge, the line reads the element at the edge again.
// asks: On which line does a NaN arise, or come in from another row or column?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tileA[TILE][TILE];
    __shared__ float tileB[TILE][TILE];
    int tx = threadIdx.x, cy = threadIdx.y;
    int ii = blockIdx.y * TILE + cy;
    int my_col = blockIdx.x * TILE + tx;
    float tmp = 0.0f;
    for (int first = 0; first < K; first += TILE) {
        tileA[cy][tx] = ii < M ? A[ii * K + min(first + tx, K - 1)] : 0.0f;
        tileB[cy][tx] = first + cy < K && my_col < N ? B[(first + cy) * N + my_col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            tmp += tileA[cy][k] * tileB[k][tx];
        __syncthreads();
    }
    if (ii < M && my_col < N)
        C[ii * N + my_col] = tmp;
}
