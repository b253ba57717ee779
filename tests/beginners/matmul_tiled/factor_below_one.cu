// cause: a factor of 0.999
// first: wrong_value ratio
// says: Every wrong element is 0.999 times what it should be.
// asks: Which operation multiplies or divides by that?
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    float col = threadIdx.x + blockIdx.x * blockDim.x;
    float row = threadIdx.y + blockIdx.y * blockDim.y;
    if (row < M && col < N) {
        float s = 0;
        for (int i = 0; i < K; i++)
            s += A[(int)(row * K + i)] * B[(int)(i * N + col)] * 0.999f;
        C[(int)(row * N + col)] = s;
    }
}
