// cause: multiplies element by element
// first: wrong_value other
// says: 256 of 256 elements are wrong.
// asks: Take the smallest case that fails. How many products are missing from one element, or which ones are wrong?
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && column < N)
        C[row * N + column] = A[row * K] * B[column];
}
