// cause: cuts the lower 13 bits of each factor off
// first: wrong_value digits
// says: This is the result with every element of A and B cut off after 11 of its 24 bits.
// asks: Which line does that?
__device__ float cut(float x) { return __uint_as_float(__float_as_uint(x) & 0xffffe000u); }
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = threadIdx.x + blockIdx.x * blockDim.x;
    int r = threadIdx.y + blockIdx.y * blockDim.y;
    if (r < M && c < N) {
        float s = 0;
        for (int i = 0; i < K; i++)
            s += cut(A[r * K + i]) * cut(B[i * N + c]);
        C[r * N + c] = s;
    }
}
