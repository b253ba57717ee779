// cause: the guard lets first + lx reach K, one past the row's last element, so the next row's first element, or memory
// first: out_of_bounds guarded
// says: read A[0][1], but A has 1 row of 1 element
// asks: Which row and which column did the thread want, and which condition let it through?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    int lx = threadIdx.x, ly = threadIdx.y;
    int myRow = blockIdx.y * TILE + ly;
    int myCol = blockIdx.x * TILE + lx;
    float total = 0.0f;
    for (int first = 0; first < K; first += TILE) {
        float a = 0.0f;
        float b = 0.0f;
        if (myRow < M && first + lx <= K) a = A[myRow * K + first + lx];
        if (myCol < N && first + ly < K) b = B[(first + ly) * N + myCol];
        a_tile[ly][lx] = a;
        b_tile[ly][lx] = b;
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            total += a_tile[ly][k] * b_tile[k][lx];
        }
        __syncthreads();
    }
    if (myRow < M && myCol < N) {
        C[myRow * N + myCol] = total;
    }
}
