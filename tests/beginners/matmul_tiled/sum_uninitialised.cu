// cause: sum has no first value
// first: uninitialized variable
// says: C[0][0] is computed from a variable that was never given a value: it is used at line 11
// asks: Which variable is used on this line before it got a value?
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum;
    for (int k = 0; k < K; k++)
        if (row < M && column < N)
            sum += A[row * K + k] * B[k * N + column];
    if (row < M && column < N)
        C[row * N + column] = sum;
}
