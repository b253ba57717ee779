// cause: x is used for the rows and y for the columns of blocks, but the grid has x along the columns (line 12).
// first: never_written not_reached
// says: Line 11 makes one index of blockIdx.x and threadIdx.y.
// asks: What sends the thread in the message past the store, and with which values?
#define TS 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float Ads[TS][TS];
    __shared__ float sB[TS][TS];
    int my_row = blockIdx.x * TS + threadIdx.y;
    int column = blockIdx.y * TS + threadIdx.x;
    bool inside = my_row < M && column < N;
    float result = 0.0f;
    int tiles = K / TS + (K % TS != 0);
    for (int tile = 0; tile < tiles; tile++) {
        int a_column = tile * TS + threadIdx.x;
        int b_row = tile * TS + threadIdx.y;
        float a = 0.0f;
        float b = 0.0f;
        if (my_row < M && a_column < K)
            a = A[my_row * K + a_column];
        if (b_row < K && column < N)
            b = B[b_row * N + column];
        Ads[threadIdx.y][threadIdx.x] = a;
        sB[threadIdx.y][threadIdx.x] = b;
        __syncthreads();
        float part = 0.0f;
        for (int k = 0; k < TS; k++)
            part += Ads[threadIdx.y][k] * sB[k][threadIdx.x];
        result += part;
        __syncthreads();
    }
    if (inside)
        C[my_row * N + column] = result;
}
