// cause: The multiplication uses Bs[tx][k], the tile of B transposed, although it was stored untransposed (line 20).
// first: wrong_value exchanged
// says: The thread that stores it multiplies Ads[0][1] (it holds A[0][1]) by Bs[0][1] (it holds B[0][1]), both read at line 20.
// asks: Which line has the wrong cell, the one that fills it or the one that reads it?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float Ads[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int lx = threadIdx.x, cy = threadIdx.y;
    int ii = blockIdx.y * TILE + cy;
    int my_col = blockIdx.x * TILE + lx;
    float acc = 0.0f;
    for (int ph = 0; ph < K; ph += TILE) {
        Ads[cy][lx] = ii < M && ph + lx < K ? A[ii * K + ph + lx] : 0.0f;
        Bs[cy][lx] = ph + cy < K && my_col < N ? B[(ph + cy) * N + my_col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            acc += Ads[cy][k] * Bs[lx][k];
        __syncthreads();
    }
    if (ii < M && my_col < N)
        C[ii * N + my_col] = acc;
}
