// cause: `__shfl_down_sync(0xffff, sum, d, 16)`: the mask names lanes 0..15 only, but the rows with odd threadIdx.y are lanes 16..31 of their warp, which call it without being in the mask: undefined behaviour.
// first: sync_mask unnamed
// says: the mask 0x0000ffff leaves out lane 16, which executes this line
// asks: The mask has one bit for each lane of the warp. Which bits are set, and which lanes execute this line?
/* Lab 05: 16 threads share one element of C, each takes every 16th product */
#define LANES 16
extern "C" __constant__ int matmul_tiled_items[2] = {1, 16};

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * 16 + threadIdx.y;
    int col = blockIdx.x;
    float sum = 0.0f;

    if (row < M) {
        for (int k = threadIdx.x; k < K; k += LANES)
            sum += A[row * K + k] * B[k * N + col];
    }

    // add up the 16 partial sums of this row
    for (int d = LANES / 2; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffff, sum, d, 16);

    if (threadIdx.x == 0 && row < M)
        C[row * N + col] = sum;
}
