// cause: cuts the result off after two decimals
// first: wrong_value digits
// says: Every element is near the right one: the errors are up to 0.004 of sum |a b|
// asks: Which number on the way, or which type, is not as exact as a float?
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = threadIdx.x + blockIdx.x * blockDim.x;
    int r = threadIdx.y + blockIdx.y * blockDim.y;
    if (r < M && c < N) {
        float s = 0;
        for (int i = 0; i < K; i++)
            s += A[r * K + i] * B[i * N + c];
        C[r * N + c] = floorf(s * 100) / 100;
    }
}
