// cause: `__syncwarp();` after the multiplication waits only for the 32 lanes of the own warp, so a fast warp overwrites the tiles while other warps still read them (race in shared memory for K > 16).
// first: race_shared turns
// says: shared array Bs[0][0] written by thread (0,0,0) (line 18) and read by thread (0,2,0) (line 22); line 18 belongs to one turn of the loop in line 15, line 22 to another, and no barrier separates the turns
// asks: The two accesses belong to two turns of the loop. What makes every thread finish a turn before any thread begins the next one?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        int ka = first + threadIdx.x, kb = first + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = (row < M && ka < K) ? A[row * K + ka] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (kb < K && col < N) ? B[kb * N + col] : 0.0f;
        __syncthreads();        // everything is loaded

        for (int k = 0; k < TILE; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncwarp();           // everything is used
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
