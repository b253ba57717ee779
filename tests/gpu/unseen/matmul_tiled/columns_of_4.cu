// each thread has four elements of a column, without tiles
extern "C" __constant__ int matmul_tiled_items[2] = {16, 64};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int column = blockIdx.x * 16 + threadIdx.x, row = (blockIdx.y * 16 + threadIdx.y) * 4;
    if (column >= N)
        return;
    float sum[4] = {};
    for (int k = 0; k < K; k++) {
        float right = B[k * N + column];
        for (int y = 0; y < 4; y++)
            if (row + y < M)
                sum[y] += A[(row + y) * K + k] * right;
    }
    for (int y = 0; y < 4; y++)
        if (row + y < M)
            C[(row + y) * N + column] = sum[y];
}
