// cause: `return (unsigned short)(__float_as_uint(v) >> 16);` keeps only the upper 16 bits of each float (8 bits of precision) in the tiles, so the sums are off by far more than the allowed rounding.
// first: wrong_value digits
// says: This is the result with every element of A and B cut off after the upper 16 bits of a float.
// asks: Which line does that?
/* Lab 05: tiles with half the bytes, so that twice as many blocks fit */
#define TILE 16
typedef unsigned short half_word;

__device__ half_word pack(float v)   { return (unsigned short)(__float_as_uint(v) >> 16); }
__device__ float unpack(half_word h) { return __uint_as_float((unsigned)h << 16); }

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ half_word As[TILE][TILE];
    __shared__ half_word Bs[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        As[y][x] = pack(row < M && first + x < K ? A[row * K + first + x] : 0.0f);
        Bs[y][x] = pack(first + y < K && col < N ? B[(first + y) * N + col] : 0.0f);
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += unpack(As[y][k]) * unpack(Bs[k][x]);
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
