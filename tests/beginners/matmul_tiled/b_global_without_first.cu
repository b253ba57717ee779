// cause: the row of B is k within the tile
// first: wrong_value exchanged
// says: multiplies rowpart[0][0] (it holds A[0][16]) by B[0][0], both read at line 16.
// asks: Which index does line 16 compute for B, and which one should it be?
#define T 16
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float rowpart[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float v = 0;
    for (int t = 0; t < K; t += T) {
        rowpart[ty][tx] = r < M && t + tx < K ? A[r * K + t + tx] : 0;
        __syncthreads();
        for (int k = 0; k < T && t + k < K; ++k)
            if (c < N) v += rowpart[ty][k] * B[k * N + c];
        __syncthreads();
    }
    if (r < M && c < N) C[r * N + c] = v;
}
