// cause: multiplies two sums instead of adding products
// first: wrong_value other
// says: 256 of 256 elements are wrong. C[0][0] is stored at line 15, by thread (0,0,0) of block (0,0,0).
// asks: Which row of A and which column of B belong to it?
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int col = threadIdx.x + blockIdx.x * blockDim.x;
    int row = threadIdx.y + blockIdx.y * blockDim.y;
    if (row < M && col < N) {
        float sa = 0, sb = 0;
        for (int i = 0; i < K; i++) {
            sa += A[row * K + i];
            sb += B[i * N + col];
        }
        C[row * N + col] = sa * sb;
    }
}
