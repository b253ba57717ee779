// cause: `int cell = row << 15 | column;` keeps only 15 bits for the column: columns from 32768 on spill into the row, so with 1 x 32800 x 1 the columns 32768..32799 count as row 1 and are never written.
// first: never_written not_reached
// says: The last line that they ran is line 33.
// asks: What sends the thread in the message past the store, and with which values?
/* Lab 05 */
#define TILE 16
#define COLUMN_MASK 0x7fff

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    // one register instead of two for the place of this thread in C
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    int cell = row << 15 | column;

    float acc = 0.0f;
    for (int first = 0; first < K; first += TILE) {
        int r = cell >> 15;
        int c = cell & COLUMN_MASK;
        int ka = first + threadIdx.x;
        int kb = first + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = r < M && ka < K ? A[r * K + ka] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = kb < K && c < N ? B[kb * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }

    if ((cell >> 15) < M && (cell & COLUMN_MASK) < N)
        C[(cell >> 15) * N + (cell & COLUMN_MASK)] = acc;
}
