// cause: K / TILE is rounded down, so the last partial tile is left out (line 15).
// first: wrong_value tail
// says: Line 22 is in the loop of line 16: for (int tile = 0; tile < tiles; tile++).
// asks: Does the loop over the tiles, or the one over k, end too early?
#define TS 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TS][TS];
    __shared__ float sB[TS][TS];
    int ii = blockIdx.y * TS + threadIdx.y;
    int column = blockIdx.x * TS + threadIdx.x;
    bool inside = ii < M && column < N;
    float result = 0.0f;
    int tiles = K / TS;
    for (int tile = 0; tile < tiles; tile++) {
        int a_column = tile * TS + threadIdx.x;
        int b_row = tile * TS + threadIdx.y;
        float a = 0.0f;
        float b = 0.0f;
        if (ii < M && a_column < K)
            a = A[ii * K + a_column];
        if (b_row < K && column < N)
            b = B[b_row * N + column];
        As[threadIdx.y][threadIdx.x] = a;
        sB[threadIdx.y][threadIdx.x] = b;
        __syncthreads();
        float part = 0.0f;
        for (int k = 0; k < TS; k++)
            part += As[threadIdx.y][k] * sB[k][threadIdx.x];
        result += part;
        __syncthreads();
    }
    if (inside)
        C[ii * N + column] = result;
}
