// cause: the sum begins at the column's number
// first: wrong_value added
// says: C[0][1] has 1 in it that comes from no input.
// asks: Which line adds it?
#define T 16
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[T][T], b[T][T];
    int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float sum = c;
    for (int f = 0; f < K; f += T) {
        a[ty][tx] = r < M && f + tx < K ? A[r * K + f + tx] : 0;
        b[ty][tx] = f + ty < K && c < N ? B[(f + ty) * N + c] : 0;
        __syncthreads();
        for (int k = 0; k < T; k++)
            sum += a[ty][k] * b[k][tx];
        __syncthreads();
    }
    if (r < M && c < N) C[r * N + c] = sum;
}
