// cause: a one-dimensional index
// first: never_written overlap
// says: Line 12 stores elements from C[row 0, column 0] to C[row 0, column 15].
// asks: What is the index of line 12 made of, and which value has each part in the thread of the message?
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M * N) {
        float sum = 0;
        for (int k = 0; k < K; k++)
            sum += A[i / N * K + k] * B[k * N + i % N];
        C[i] = sum;
    }
}
