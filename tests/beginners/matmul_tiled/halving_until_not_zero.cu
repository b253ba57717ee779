// cause: no condition keeps the upper half of the threads out of a sum by halves, so the index leaves the array
// first: out_of_bounds shared
// says: read part[256], but part has 256 elements (0..255)
// asks: How many elements does part have, and from which parts is this index made?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float part[TILE * TILE];
    int tid = threadIdx.y * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    part[tid] = 0.0f;
    __syncthreads();
    for (int s = TILE * TILE / 2; s != 0; s /= 2) {
        part[tid] += part[tid + s];
        __syncthreads();
    }
    float sum = part[0];
    if (row >= M || col >= N)
        return;
    for (int k = 0; k < K; k++)
        sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}
