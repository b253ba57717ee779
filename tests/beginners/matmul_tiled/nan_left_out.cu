// cause: products that are NaN are left out of the sum
// first: wrong_value special_lost
// says: NaN must stay in the sum.
// asks: Which line leaves a product out, or replaces a NaN?
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M && j < N) {
        float s = 0;
        for (int k = 0; k < K; k++) {
            float p = A[i * K + k] * B[k * N + j];
            if (p == p) s += p;
        }
        C[i * N + j] = s;
    }
}
