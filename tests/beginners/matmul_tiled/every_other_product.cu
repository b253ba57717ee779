// cause: the loop over k goes in steps of two
// first: wrong_value missing
// says: A[0][1], A[0][3], A[0][5] and 5 more elements are missing in C[0][0], which has only A[0][0], A[0][2], A[0][4] and 5 more elements.
// asks: Which line should add these products, and for which k does it run?
#define T 16
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[T][T], b[T][T];
    int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float sum = 0;
    for (int f = 0; f < K; f += T) {
        a[ty][tx] = r < M && f + tx < K ? A[r * K + f + tx] : 0;
        b[ty][tx] = f + ty < K && c < N ? B[(f + ty) * N + c] : 0;
        __syncthreads();
        for (int k = 0; k < T; k += 2)
            sum += a[ty][k] * b[k][tx];
        __syncthreads();
    }
    if (r < M && c < N) C[r * N + c] = sum;
}
