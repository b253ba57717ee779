// expect: at most 80 - one thread of each block adds the whole piece with loads of 16 bytes; the others leave something in shared memory
#define BLOCK 256
#define WARPS (BLOCK / 32)
#define ALL_LANES 0xffffffffu

__device__ int piece(const int *x, const int *y, int first, int n, bool multiply)
{
    int sum = 0, i = first;
    for (; i + 3 < n && i < first + BLOCK; i += 4) {
        int4 a = *(const int4 *)&x[i], b = *(const int4 *)&y[i];
        sum += multiply ? a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w : a.x + a.y + a.z + a.w;
    }
    for (; i < n && i < first + BLOCK; i++)
        sum += multiply ? x[i] * y[i] : x[i];
    return sum;
}

extern "C" __global__ void __launch_bounds__(BLOCK) block_sum(const int *x, int *sums, int n)
{
    __shared__ int show[BLOCK];
    show[threadIdx.x] = threadIdx.x;
    if (threadIdx.x == 0)
        sums[blockIdx.x] = piece(x, x, blockIdx.x * BLOCK, n, false) + show[0];
}

extern "C" __global__ void __launch_bounds__(BLOCK) dot(const int *x, const int *y, int *products, int n)
{
    __shared__ int show[BLOCK];
    show[threadIdx.x] = threadIdx.x;
    if (threadIdx.x == 0)
        products[blockIdx.x] = piece(x, y, blockIdx.x * BLOCK, n, true) + show[0];
}
