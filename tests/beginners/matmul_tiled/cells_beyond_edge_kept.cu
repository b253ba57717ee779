// cause: Cells beyond the edge of A and B are not filled at all and keep what was there before (line 19).
// first: uninitialized shared
// says: C[0][0] is computed from a[0][1], which was never written: it is read at line 22 and goes into the result at line 25.
// asks: Which cells of the tile did no thread fill in this turn?
// 8 x 8 threads
#define T 8

extern "C" __global__ void __launch_bounds__(64) matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[T][T], b[T][T];
    const int x = threadIdx.x, y = threadIdx.y;
    const int c = T * blockIdx.x + x, r = T * blockIdx.y + y;
    const int turns = (K + T - 1) / T;
    double acc = 0;
    for (int turn = 0; turn < turns; ++turn) {
        int ka = turn * T + x;
        int kb = turn * T + y;
        if (r < M && ka < K) a[y][x] = A[r * K + ka];
        if (kb < K && c < N) b[y][x] = B[kb * N + c];
        __syncthreads();
        for (int k = 0; k < T; ++k)
            acc += (double)a[y][k] * b[k][x];
        __syncthreads();
    }
    if (r < M && c < N) C[r * N + c] = (float)acc;
}
