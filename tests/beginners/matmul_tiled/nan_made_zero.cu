// cause: Line 35: a sum that is NaN is replaced by 0, but where A or B holds a NaN (or infinities that cancel) C must be NaN.
// first: wrong_value special_lost
// says: NaN must stay in the sum. Line 34 asks isnan(Pvalue).
// asks: Which line leaves a product out, or replaces a NaN?
#define TILE_WIDTH 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float ds_A[TILE_WIDTH][TILE_WIDTH];
    __shared__ float ds_B[TILE_WIDTH][TILE_WIDTH];

    int bx = blockIdx.x, by = blockIdx.y;
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = by * TILE_WIDTH + ty;
    int Col = bx * TILE_WIDTH + tx;
    float Pvalue = 0;

    for (int ph = 0; ph < (K - 1) / TILE_WIDTH + 1; ++ph) {
        if (Row < M && ph * TILE_WIDTH + tx < K)
            ds_A[ty][tx] = A[Row * K + ph * TILE_WIDTH + tx];
        else
            ds_A[ty][tx] = 0.0f;
        if (ph * TILE_WIDTH + ty < K && Col < N)
            ds_B[ty][tx] = B[(ph * TILE_WIDTH + ty) * N + Col];
        else
            ds_B[ty][tx] = 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE_WIDTH; ++k)
            Pvalue += ds_A[ty][k] * ds_B[k][tx];
        __syncthreads();
    }

    if (isnan(Pvalue))      // keep rubbish out of the result
        Pvalue = 0;
    if (Row < M && Col < N)
        C[Row * N + Col] = Pvalue;
}
