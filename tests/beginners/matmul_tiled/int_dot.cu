// cause: the helper dot() returns int, so the part of each tile is cut to a whole number before it is added to the sum.
// first: wrong_value typed
// says: The result of dot (line 11) is of the type int, and line 16 returns s, a float.
// asks: Which line makes a whole number of it?
#define TILE 16

__shared__ float As[TILE][TILE];
__shared__ float Bs[TILE][TILE];

// scalar product of one row and one column of the tiles
__device__ int dot(int y, int x)
{
    float s = 0.0f;
    for (int k = 0; k < TILE; k++)
        s += As[y][k] * Bs[k][x];
    return s;
}

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int x = threadIdx.x;
    int y = threadIdx.y;
    int row = blockIdx.y * TILE + y;
    int col = blockIdx.x * TILE + x;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        As[y][x] = (row < M && first + x < K) ? A[row * K + first + x] : 0.0f;
        Bs[y][x] = (first + y < K && col < N) ? B[(first + y) * N + col] : 0.0f;
        __syncthreads();
        sum += dot(y, x);
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
