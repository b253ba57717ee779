// cause: subtracts the products
// first: wrong_value sign
// says: C[0][0] has each of its elements of A and of B with the opposite sign.
// asks: Which operation changes the sign?
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M && j < N) {
        float s = 0;
        for (int k = 0; k < K; k++)
            s -= A[i * K + k] * B[k * N + j];
        C[i * N + j] = s;
    }
}
