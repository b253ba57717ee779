// cause: Line 22: A is read as float4 whenever the first of the four elements exists, but K need not be a multiple of 4: the address row * K + k is then misaligned, and the four run past the end of the row (and of A).
// first: out_of_bounds wide
// says: read of 16 bytes from A[0][0] on
// asks: How many bytes does this line access at once, and which elements of A are that?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        // four threads load a row of A's tile with 128-bit loads
        if (tx < 4) {
            int k = first + 4 * tx;
            float4 v = make_float4(0, 0, 0, 0);
            if (row < M && k < K)
                v = *(const float4 *)&A[row * K + k];
            As[ty][4 * tx + 0] = v.x;
            As[ty][4 * tx + 1] = v.y;
            As[ty][4 * tx + 2] = v.z;
            As[ty][4 * tx + 3] = v.w;
        }
        Bs[ty][tx] = (first + ty < K && col < N) ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
