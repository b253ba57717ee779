// cause: `As[ty][tx] = a; Bs[ty][tx] = b;` at the top of the next turn overwrites the tiles although other warps may still multiply with them: the values wait in registers, but no barrier follows the multiplication (race in shared memory for K > 16).
// first: race_shared turns
// says: shared array Bs[0][0] written by thread (0,0,0) (line 26) and read by thread (0,2,0) (line 32); line 26 belongs to one turn of the loop in line 24, line 32 to another, and no barrier separates the turns
// asks: The two accesses belong to two turns of the loop. What makes every thread finish a turn before any thread begins the next one?
/* Lab 05, with the next tile already on its way while we multiply */
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    auto getA = [&](int first) { return row < M && first + tx < K ? A[row * K + first + tx] : 0.0f; };
    auto getB = [&](int first) { return first + ty < K && col < N ? B[(first + ty) * N + col] : 0.0f; };

    // the tile after this one waits in registers
    float a = getA(0);
    float b = getB(0);
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        As[ty][tx] = a;
        Bs[ty][tx] = b;
        __syncthreads();

        a = getA(first + TILE);
        b = getB(first + TILE);
        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
