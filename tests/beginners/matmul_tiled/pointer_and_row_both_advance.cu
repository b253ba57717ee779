// cause: `B += TILE * N;` moves the pointer one tile on while `B[b_row * N + col]` with b_row = first + threadIdx.y counts the tiles as well, so B advances twice per turn: wrong elements and reads beyond B for K > 16.
// first: out_of_bounds moved
// says: read B[32][0], but B has 17 rows of 17 elements
// asks: Where does the pointer point when the line uses it, and what does the index add to that?
/* Lab 05 */
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    const float *a = A + row * K + threadIdx.x;     // walks along the row
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        int b_row = first + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = row < M && first + threadIdx.x < K ? *a : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = b_row < K && col < N ? B[b_row * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();

        // on to the next tiles
        a += TILE;
        B += TILE * N;
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
