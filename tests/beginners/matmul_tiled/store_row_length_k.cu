// cause: the store takes K for the row length of C, which has N columns, so elements land in wrong places, collide, or lie outside of C where N and K differ.
// first: out_of_bounds row_length
// says: write C[15][0], but C has 15 rows of 31 elements
// asks: How long is a row of C, and with what does this line multiply the number of the row?
#define TILE_WIDTH 16

// based on the kernel of the lecture, for rectangular matrices
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float ds_A[TILE_WIDTH][TILE_WIDTH];
    __shared__ float ds_B[TILE_WIDTH][TILE_WIDTH];

    int bx = blockIdx.x;  int by = blockIdx.y;
    int tx = threadIdx.x; int ty = threadIdx.y;

    int row = by * TILE_WIDTH + ty;
    int col = bx * TILE_WIDTH + tx;
    float Pvalue = 0;

    for (int m = 0; m < (K - 1) / TILE_WIDTH + 1; ++m) {
        if (row < M && m * TILE_WIDTH + tx < K)
            ds_A[ty][tx] = A[row * K + m * TILE_WIDTH + tx];
        else
            ds_A[ty][tx] = 0;
        if (m * TILE_WIDTH + ty < K && col < N)
            ds_B[ty][tx] = B[(m * TILE_WIDTH + ty) * N + col];
        else
            ds_B[ty][tx] = 0;
        __syncthreads();

        for (int k = 0; k < TILE_WIDTH; ++k)
            Pvalue += ds_A[ty][k] * ds_B[k][tx];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * K + col] = Pvalue;
}
