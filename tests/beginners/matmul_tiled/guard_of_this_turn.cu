// cause: the element for the next turn is loaded under a guard that checks this turn's index, so the last turn reads
// first: out_of_bounds guarded
// says: read A[0][16], but A has 1 row of 1 element
// asks: Which row and which column did the thread want, and which condition let it through?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tileA[TILE][TILE];
    __shared__ float tileB[TILE][TILE];
    int lx = threadIdx.x, ly = threadIdx.y;
    int y_global = blockIdx.y * TILE + ly;
    int x_global = blockIdx.x * TILE + lx;
    float sum = 0.0f;
    float a = y_global < M && lx < K ? A[y_global * K + lx] : 0.0f;
    float b = ly < K && x_global < N ? B[ly * N + x_global] : 0.0f;

    for (int k0 = 0; k0 < K; k0 += TILE) {
        tileA[ly][lx] = a;
        tileB[ly][lx] = b;
        __syncthreads();

        // fetch early what the next turn needs
        const int next = k0 + TILE;
        a = y_global < M && k0 + lx < K ? A[y_global * K + next + lx] : 0.0f;
        b = next + ly < K && x_global < N ? B[(next + ly) * N + x_global] : 0.0f;

        for (int k = 0; k < TILE; k++) {
            sum += tileA[ly][k] * tileB[k][lx];
        }
        __syncthreads();
    }
    if (y_global < M && x_global < N) {
        C[y_global * N + x_global] = sum;
    }
}
