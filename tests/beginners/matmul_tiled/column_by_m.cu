// cause: the guard compares the column with M
// first: out_of_bounds guarded
// says: read B[240][15], but B has 255 rows of 1 element
// asks: Which row and which column did the thread want, and which condition let it through?
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && column < M) {
        float sum = 0;
        for (int k = 0; k < K; k++)
            sum += A[row * K + k] * B[k * N + column];
        C[row * N + column] = sum;
    }
}
