// cause: the tile of A is filled with x and y exchanged
// first: wrong_value exchanged
// says: A[0][1] was put in ta[1][0], at line 14 by thread (1,0,0).
// asks: Which line has the wrong cell, the one that fills it or the one that reads it?
#define T 16
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float ta[T][T];
    __shared__ float tb[T][T];
    int i = blockIdx.y * T + threadIdx.y;
    int j = blockIdx.x * T + threadIdx.x;
    float s = 0;
    for (int p = 0; p < K; p += T) {
        ta[threadIdx.x][threadIdx.y] = i < M && p + threadIdx.x < K ? A[i * K + p + threadIdx.x] : 0.f;
        tb[threadIdx.y][threadIdx.x] = j < N && p + threadIdx.y < K ? B[(p + threadIdx.y) * N + j] : 0.f;
        __syncthreads();
        for (int k = 0; k < T; k++)
            s += ta[threadIdx.y][k] * tb[k][threadIdx.x];
        __syncthreads();
    }
    if (i < M && j < N) C[i * N + j] = s;
}
