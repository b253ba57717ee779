// cause: The tiles hold only the upper 16 bits of each float, so 8 bits of precision are left.
// first: wrong_value digits
// says: This is the result with every element of A and B cut off after the upper 16 bits of a float.
// asks: Which line does that?
#define TILE 16

// the upper half of a float is enough, and a tile needs only 512 bytes
__device__ unsigned short pack(float x)
{
    return (unsigned short)(__float_as_uint(x) >> 16);
}

__device__ float unpack(unsigned short h)
{
    return __uint_as_float((unsigned)h << 16);
}

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ unsigned short As[TILE][TILE];
    __shared__ unsigned short Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        As[ty][tx] = pack((row < M && first + tx < K) ? A[row * K + first + tx] : 0.0f);
        Bs[ty][tx] = pack((first + ty < K && col < N) ? B[(first + ty) * N + col] : 0.0f);
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            sum += unpack(As[ty][k]) * unpack(Bs[k][tx]);
        }
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}
