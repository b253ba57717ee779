// cause: the step computes a number and stores it nowhere
// first: fuel no_effect
// says: `first + TILE` changes no variable, so first stays as it is
// asks: Which variable does this loop count with, and where does its value change?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float sA[TILE][TILE];
    __shared__ float sB[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int r = blockIdx.y * TILE + ty;
    int c = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    int first;
    for (first = 0; first < K; first + TILE) {
        sA[ty][tx] = r < M && first + tx < K ? A[r * K + first + tx] : 0.0f;
        sB[ty][tx] = first + ty < K && c < N ? B[(first + ty) * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            sum += sA[ty][k] * sB[k][tx];
        }
        __syncthreads();
    }
    if (r < M && c < N) {
        C[r * N + c] = sum;
    }
}
