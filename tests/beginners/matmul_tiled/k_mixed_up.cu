// cause: A[row * N + k]
// first: out_of_bounds row_length
// says: read A[60][0], but A has 40 rows of 1 element
// asks: How long is a row of A, and with what does this line multiply the number of the row?
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
