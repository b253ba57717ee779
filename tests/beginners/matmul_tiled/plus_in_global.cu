// cause: adds to C[row * N + column] from K threads: x is k
// first: race_warp update
// says: each thread reads it, changes it and writes it back, so a change can be lost
// asks: Two threads change the same element of C. Are both meant to, or should each have an element of its own?
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && k < K)
        for (int column = 0; column < N; column++)
            C[row * N + column] += A[row * K + k] * B[k * N + column];
}
