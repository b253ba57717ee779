// cause: The tiles are not declared __shared__, so each thread has tiles of its own with one filled cell (line 17).
// first: not_shared
// says: As is declared without __shared__, so each thread has an array of its own, and what one thread stores in its As no other thread can read.
// asks: Which threads store into this array, and which ones read what was stored?
#define TS 16

// element (r, c) of a rows x cols matrix, 0 outside
__device__ float element(const float *m, int r, int c, int rows, int cols)
{
    if (r >= rows || c >= cols)
        return 0.0f;
    return m[r * cols + c];
}

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    float As[TS][TS], Bds[TS][TS];
    int ii = threadIdx.y + blockIdx.y * TS;
    int jj = threadIdx.x + blockIdx.x * TS;
    float dot = 0;
    for (int start = 0; start < K; start += TS) {
        As[threadIdx.y][threadIdx.x] = element(A, ii, start + threadIdx.x, M, K);
        Bds[threadIdx.y][threadIdx.x] = element(B, start + threadIdx.y, jj, K, N);
        __syncthreads();
        int left = min(TS, K - start);
        for (int k = 0; k < left; k++)
            dot += As[threadIdx.y][k] * Bds[k][threadIdx.x];
        __syncthreads();
    }
    if (ii < M && jj < N)
        C[ii * N + jj] = dot;
}
