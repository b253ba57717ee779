// cause: `sum = fmaf(sum, As[threadIdx.y][k], Bs[k][threadIdx.x]);` computes sum * a + b: the arguments of fmaf are in the wrong order, the sum is the third one.
// first: wrong_value other
// says: Every element is 0.
// asks: Line 22 first: Which of the three arguments is added, and which two are multiplied?
/* Lab 05 - with fused multiply-add */
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int first = 0; first < K; first += TILE) {
        int ka = first + threadIdx.x;
        int kb = first + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = row < M && ka < K ? A[row * K + ka] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = kb < K && col < N ? B[kb * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum = fmaf(sum, As[threadIdx.y][k], Bs[k][threadIdx.x]);
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}
