// cause: `*(float4 *)dst = *(const float4 *)(src + r * w + c);` loads four floats at once also when the row length K or N is not a multiple of 4, so from row 1 on the address is not a multiple of 16: misaligned access (17 x 17 x 17).
// first: misaligned
// says: read of 16 bytes at an address that is not a multiple of 16 (byte 68 of A)
// asks: Which alignment does this access require?
/* Lab 05: matrix product, loads with float4 */
#define TILE 16

// four cells of a tile, zero where the matrix has no element
static __device__ void load4(float *dst, const float *src, int r, int c, int h, int w)
{
    if (r < h && c + 3 < w) {
        *(float4 *)dst = *(const float4 *)(src + r * w + c);
    } else {
        for (int j = 0; j < 4; ++j)
            dst[j] = (r < h && c + j < w) ? src[r * w + c + j] : 0.0f;
    }
}

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(16) float As[TILE][TILE];
    __shared__ __align__(16) float Bs[TILE][TILE];

    const int tid = threadIdx.y * TILE + threadIdx.x;
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        if (tid < 64) {
            int r = tid / 4, c = tid % 4 * 4;
            load4(&As[r][c], A, blockIdx.y * TILE + r, first + c, M, K);
        } else if (tid < 128) {
            int r = (tid - 64) / 4, c = (tid - 64) % 4 * 4;
            load4(&Bs[r][c], B, first + r, blockIdx.x * TILE + c, K, N);
        }
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = sum;
}
