// cause: No barrier after multiplying, so a fast thread overwrites tiles that others still use (line 20).
// first: race_shared turns
// says: shared array sB[0][0] written by thread (0,0,0) (line 17) and read by thread (0,2,0) (line 20); line 17 belongs to one turn of the loop in line 15, line 20 to another, and no barrier separates the turns
// asks: The two accesses belong to two turns of the loop. What makes every thread finish a turn before any thread begins the next one?
#define TS 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tileA[TS][TS];
    __shared__ float sB[TS][TS];
    int x_ = threadIdx.x, ly = threadIdx.y;
    int my_row = blockIdx.y * TS + ly;
    int col = blockIdx.x * TS + x_;
    float acc = 0.0f;
    for (int start = 0; start < K; start += TS) {
        tileA[ly][x_] = my_row < M && start + x_ < K ? A[my_row * K + start + x_] : 0.0f;
        sB[ly][x_] = start + ly < K && col < N ? B[(start + ly) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TS; k++)
            acc += tileA[ly][k] * sB[k][x_];
    }
    if (my_row < M && col < N)
        C[my_row * N + col] = acc;
}
