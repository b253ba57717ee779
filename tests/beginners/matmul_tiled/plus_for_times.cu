// cause: adds A and B
// first: wrong_value other
// says: 256 of 256 elements are wrong.
// asks: Which row of A and which column of B belong to it?
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && column < N) {
        float sum = 0;
        for (int k = 0; k < K; k++)
            sum += A[row * K + k] + B[k * N + column];
        C[row * N + column] = sum;
    }
}
