// cause: each turn adds the running sum of all tiles so far to C, although sum (line 14) is never set back to 0, so the earlier tiles are counted again in every later turn (K > 16).
// first: wrong_value multiple
// says: Besides what belongs there, C[0][0] contains A[0][0..15].
// asks: Where is it counted again: in another line, in another turn of a loop, or in another thread?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    int idx = row * N + col;
    bool mine = row < M && col < N;
    float sum = 0.0f;

    if (mine) C[idx] = 0.0f;   // C is rubbish

    for (int first = 0; first < K; first += TILE) {
        int ka = first + threadIdx.x;
        int kb = first + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = (row < M && ka < K) ? A[row * K + ka] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (kb < K && col < N) ? B[kb * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];

        if (mine) C[idx] += sum;
        __syncthreads();
    }
}
