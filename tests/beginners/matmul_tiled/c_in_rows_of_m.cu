// cause: C is stored with row length M instead of N (line 35).
// first: out_of_bounds row_length
// says: write C[100][0], but C has 100 rows of 1 element
// asks: How long is a row of C, and with what does this line multiply the number of the row?
#define TILE_WIDTH 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float sA[TILE_WIDTH][TILE_WIDTH];
    __shared__ float sB[TILE_WIDTH][TILE_WIDTH];
    int my_row = blockIdx.y * TILE_WIDTH + threadIdx.y;
    int column = blockIdx.x * TILE_WIDTH + threadIdx.x;
    bool inside = my_row < M && column < N;
    float result = 0.0f;
    int tiles = K / TILE_WIDTH + (K % TILE_WIDTH != 0);
    for (int tile = 0; tile < tiles; tile++) {
        int a_column = tile * TILE_WIDTH + threadIdx.x;
        int b_row = tile * TILE_WIDTH + threadIdx.y;
        float a = 0.0f;
        float b = 0.0f;
        if (my_row < M && a_column < K)
            a = A[my_row * K + a_column];
        if (b_row < K && column < N)
            b = B[b_row * N + column];
        sA[threadIdx.y][threadIdx.x] = a;
        sB[threadIdx.y][threadIdx.x] = b;
        __syncthreads();
        float part = 0.0f;
        for (int k = 0; k < TILE_WIDTH; k++)
            part += sA[threadIdx.y][k] * sB[k][threadIdx.x];
        result += part;
        __syncthreads();
    }
    if (inside)
        C[my_row * M + column] = result;
}
