// cause: `__device__ void add_tile(float sum, ...)` gets sum by value, so what it adds is lost at the call `add_tile(sum, As, Bs);` and C becomes 0.
// first: wrong_value unused
// says: Every wrong element is 0, with other inputs as well.
// asks: Line 11 first: Where does the value that this line stores go when the function ends?
/* Lab 05 with a helper */
#define TILE 16

__device__ void add_tile(float sum, float a[TILE][TILE], float b[TILE][TILE])
{
    for (int k = 0; k < TILE; k++)
        sum += a[threadIdx.y][k] * b[k][threadIdx.x];
}

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        int ka = first + threadIdx.x;
        int kb = first + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = (row < M && ka < K) ? A[row * K + ka] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (kb < K && col < N) ? B[kb * N + col] : 0.0f;
        __syncthreads();
        add_tile(sum, As, Bs);
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
