// cause: the cell beyond K is the next row's first element, and 0 times infinity is NaN
// first: wrong_value special
// says: hold neither NaN nor an infinity, other rows and columns do.
// asks: Which line takes an element of these, or divides by 0?
#define T 16
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float s[T][T], t[T][T];
    int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float sum = 0;
    for (int b = 0; b < K; b += T) {
        s[ty][tx] = r < M && b + tx <= K && r * K + b + tx < M * K ? A[r * K + b + tx] : 0.0f;
        t[ty][tx] = b + ty < K && c < N ? B[(b + ty) * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; k++) sum += s[ty][k] * t[k][tx];
        __syncthreads();
    }
    if (r < M && c < N) C[r * N + c] = sum;
}
