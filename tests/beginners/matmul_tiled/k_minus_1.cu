// cause: the last product is missing
// first: wrong_value tail
// says: The last product of every sum is missing, that of k = 15.
// asks: Where does the loop over k end?
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && column < N) {
        float sum = 0;
        for (int k = 0; k < K - 1; k++)
            sum += A[row * K + k] * B[k * N + column];
        C[row * N + column] = sum;
    }
}
