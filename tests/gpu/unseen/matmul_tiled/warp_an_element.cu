// the lanes of a warp share the products of an element
extern "C" __constant__ int matmul_tiled_items[2] = {8, 8};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int t = threadIdx.y * 16 + threadIdx.x, lane = t % 32;
    for (int e = t / 32; e < 64; e += 8) {
        int row = blockIdx.y * 8 + e / 8, column = blockIdx.x * 8 + e % 8;
        float sum = 0.0f;
        if (row < M && column < N)
            for (int k = lane; k < K; k += 32)
                sum += A[row * K + k] * B[k * N + column];
        for (int d = 16; d > 0; d /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, d);
        if (lane == 0 && row < M && column < N)
            C[row * N + column] = sum;
    }
}
