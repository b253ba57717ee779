// cause: The accumulator is an int, so each sum loses its fraction (line 14).
// first: wrong_value typed
// says: Line 14 declares acc as int.
// asks: What becomes of a fraction, or of a negative number, on its way?
// 8 x 8 threads
#define T 8

extern "C" __global__ void __launch_bounds__(64) matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[T][T], b[T][T];
    const int x = threadIdx.x, y = threadIdx.y;
    const int c = T * blockIdx.x + x, r = T * blockIdx.y + y;
    const int turns = (K + T - 1) / T;
    int acc = 0;
    for (int turn = 0; turn < turns; ++turn) {
        int ka = turn * T + x;
        int kb = turn * T + y;
        if (r < M && ka < K) a[y][x] = A[r * K + ka]; else a[y][x] = 0;
        if (kb < K && c < N) b[y][x] = B[kb * N + c]; else b[y][x] = 0;
        __syncthreads();
        for (int k = 0; k < T; ++k)
            acc += (double)a[y][k] * b[k][x];
        __syncthreads();
    }
    if (r < M && c < N) C[r * N + c] = (float)acc;
}
