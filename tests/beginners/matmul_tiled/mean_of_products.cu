// cause: divides the sum by K
// first: wrong_value ratio
// says: Every wrong element is 0.0625 times what it should be, which is 1/16.
// asks: Which operation multiplies or divides by that?
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M && j < N) {
        float s = 0;
        for (int k = 0; k < K; k++)
            s += A[i * K + k] * B[k * N + j];
        C[i * N + j] = s / K;
    }
}
