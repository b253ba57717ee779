// cause: reads A column by column, without tiles
// first: wrong_value exchanged
// says: multiplies A[1][0] by B[1][0], both read at line 12. What belongs into C[0][0] is the product of A[0][1] and B[1][0].
// asks: Which index does line 12 compute for A, and which one should it be?
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M && j < N) {
        float s = 0;
        for (int k = 0; k < K; k++)
            s += A[k * M + i] * B[k * N + j];
        C[i * N + j] = s;
    }
}
