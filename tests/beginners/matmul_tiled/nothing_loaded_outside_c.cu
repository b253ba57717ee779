// cause: threads without an element of C store zeros that others need
// first: wrong_value zeroed
// says: multiplies q[1][0] (it holds B[1][16]) by p[0][1], which holds 0, at line 21.
// asks: Which condition decides about that, and what does it ask?
#define W 16
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float p[W][W], q[W][W];
    int x = threadIdx.x, y = threadIdx.y;
    int gx = blockIdx.x * W + x, gy = blockIdx.y * W + y;
    float total = 0;
    for (int t = 0; t < K; t += W) {
        if (gy < M && gx < N) {
            p[y][x] = t + x < K ? A[gy * K + t + x] : 0;
            q[y][x] = t + y < K ? B[(t + y) * N + gx] : 0;
        } else {
            p[y][x] = 0;
            q[y][x] = 0;
        }
        __syncthreads();
        for (int i = 0; i < W; i++) total += p[y][i] * q[i][x];
        __syncthreads();
    }
    if (gx < N && gy < M) C[gy * N + gx] = total;
}
