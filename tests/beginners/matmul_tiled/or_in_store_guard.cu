// cause: Line 31: the guard of the store says || instead of &&, so threads outside of C in one direction store too: into elements of the next row, or past the end of C.
// first: out_of_bounds guarded
// says: write C[0][1], but C has 1 row of 1 element
// asks: Which row and which column did the thread want, and which condition let it through?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty;
    int col = blockIdx.x * 16 + tx;
    __shared__ float As[16][16];
    __shared__ float Bs[16][16];
    float tmp = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        if (row >= M || first + tx >= K)
            As[ty][tx] = 0.0f;
        else
            As[ty][tx] = A[row * K + first + tx];
        if (first + ty >= K || col >= N)
            Bs[ty][tx] = 0.0f;
        else
            Bs[ty][tx] = B[(first + ty) * N + col];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            tmp += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < M || col < N)
        C[row * N + col] = tmp;
}
