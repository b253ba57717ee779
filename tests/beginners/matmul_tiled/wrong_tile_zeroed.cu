// cause: the other tile is set to 0 at the edge
// first: uninitialized passed_cell
// says: Line 19 sets As, but thread (1,0,0), which has the number of As[0][1], did not come to it.
// asks: Which thread should set this cell, and what keeps it away from the line that does?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int myRow = blockIdx.y * TILE + ty;
    int myCol = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int first = 0; first < K; first += TILE) {
        int ka = first + tx;
        int kb = first + ty;
        if (myRow < M && ka < K)
            As[ty][tx] = A[myRow * K + ka];
        else
            Bs[ty][tx] = 0;
        if (kb < K && myCol < N)
            Bs[ty][tx] = B[kb * N + myCol];
        else
            Bs[ty][tx] = 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            sum += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
    }
    if (myRow < M && myCol < N) {
        C[myRow * N + myCol] = sum;
    }
}
