// cause: The barrier is inside the condition that the thread has an element of C (line 27).
// first: barrier_mismatch branch
// says: 255 threads wait at the barrier at line 32 (the first is (1,0,0)), 1 at the barrier at line 27 (the first is (0,0,0)).
// asks: Which threads does the if in the message let through to the barrier, and what do the others do meanwhile?
#define TILE_WIDTH 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tileA[TILE_WIDTH][TILE_WIDTH];
    __shared__ float Bds[TILE_WIDTH][TILE_WIDTH];
    int ROW = blockIdx.y * TILE_WIDTH + threadIdx.y;
    int column = blockIdx.x * TILE_WIDTH + threadIdx.x;
    bool inside = ROW < M && column < N;
    float result = 0.0f;
    int tiles = K / TILE_WIDTH + (K % TILE_WIDTH != 0);
    for (int tile = 0; tile < tiles; tile++) {
        int a_column = tile * TILE_WIDTH + threadIdx.x;
        int b_row = tile * TILE_WIDTH + threadIdx.y;
        float a = 0.0f;
        float b = 0.0f;
        if (ROW < M && a_column < K)
            a = A[ROW * K + a_column];
        if (b_row < K && column < N)
            b = B[b_row * N + column];
        tileA[threadIdx.y][threadIdx.x] = a;
        Bds[threadIdx.y][threadIdx.x] = b;
        if (inside) __syncthreads();
        float part = 0.0f;
        for (int k = 0; k < TILE_WIDTH; k++)
            part += tileA[threadIdx.y][k] * Bds[k][threadIdx.x];
        result += part;
        __syncthreads();
    }
    if (inside)
        C[ROW * N + column] = result;
}
