// cause: the function for a product returns a whole number
// first: wrong_value typed
// says: The result of part (line 7) is of the type long, and line 12 returns s, a double.
// asks: Which line makes a whole number of it?
#define TILE 16

__device__ long part(const float *a, const float *b)
{
    double s = 0;
    for (int k = 0; k < TILE; k++)
        s += a[k] * b[k * TILE];
    return s;
}

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        As[ty][tx] = row < M && first + tx < K ? A[row * K + first + tx] : 0.0f;
        Bs[ty][tx] = first + ty < K && col < N ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();
        sum += part(As[ty], &Bs[0][tx]);
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}
