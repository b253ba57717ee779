// cause: `Bs[threadIdx.y][threadIdx.x] = ...` fills only 8 of the 32 rows of B's tile, because the block is 32 x 8 and each thread loads one element of B; rows 8..31 are read without ever having been written.
// first: uninitialized stored_cells
// says: C[0][0] is computed from Bs[8][0], which was never written: it is read at line 28 and goes into the result at line 33
// asks: Which cells of Bs should these lines fill, and which do they fill?
/* Lab 05: a warp is one row of the block */
#define W 32
#define H 8

extern "C" __constant__ int matmul_tiled_block[3] = {W, H, 1};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[H][W];
    __shared__ float Bs[W][W];

    int row = blockIdx.y * H + threadIdx.y;
    int col = blockIdx.x * W + threadIdx.x;
    float sum = 0.0f;

    for (int first = 0; first < K; first += W) {
        int a_col = first + threadIdx.x;
        int b_row = first + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = row < M && a_col < K ? A[row * K + a_col] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = b_row < K && col < N ? B[b_row * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < W; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
