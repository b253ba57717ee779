// cause: A[row * N + k]
// first: out_of_bounds
// says: read A[60][0], but A has 40 rows of 1 element
// asks: Which row and which column did the thread want? How many does the matrix have?
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && column < N) {
        float sum = 0;
        for (int k = 0; k < K; k++)
            sum += A[row * N + k] * B[k * N + column];
        C[row * N + column] = sum;
    }
}
