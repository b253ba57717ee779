// cause: the tiles are in dynamic shared memory (extern __shared__), but the lab's launch has none, so every access to As and Bs is out of bounds.
// first: out_of_bounds no_bytes
// says: smem has no element: the launch gave it no bytes
// asks: Who decides how many bytes smem has?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float smem[];          // size is given at the launch
    float *As = smem;
    float *Bs = smem + TILE * TILE;

    int tx = threadIdx.x, ty = threadIdx.y;
    int me = ty * TILE + tx;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        As[me] = (row < M && first + tx < K) ? A[row * K + first + tx] : 0.0f;
        Bs[me] = (first + ty < K && col < N) ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            sum += As[ty * TILE + k] * Bs[k * TILE + tx];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
