// cause: k is an unsigned char, so it starts over at 256
// first: wrong_value missing
// says: never multiplies A[0][256] by B[256][0]; it multiplies A[0][0] by B[0][0] more than once.
// asks: Which k does line 13 take, from the first to the last?
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M && j < N) {
        float s = 0;
        unsigned char k = 0;
        for (int q = 0; q < K; q++, k++)
            s += A[i * K + k] * B[k * N + j];
        C[i * N + j] = s;
    }
}
