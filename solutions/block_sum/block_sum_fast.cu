/* Block sum and dot product as fast as memory allows: sixteen elements a thread before any thread meets another one.
 *
 * With one element per thread, a block spends more time on starting, on its barrier and on its last few adding lanes than on
 * the 1 KB that it reads. Here a block has a piece of 4096 elements: each thread loads four groups of four neighbours,
 * 16 bytes at a time, all before it adds the first, so that many bytes are on their way at once.
 */
#define BLOCK 256
#define WARPS (BLOCK / 32)
#define ROUNDS 4
#define PIECE (BLOCK * 4 * ROUNDS)
#define ALL_LANES 0xffffffffu

extern "C" __constant__ int block_sum_items = PIECE;
extern "C" __constant__ int dot_items = PIECE;

// Four elements from i on; behind the end, 0.
__device__ int4 load_four(const int *__restrict__ from, int i, int n)
{
    if (i + 3 < n)
        return *reinterpret_cast<const int4 *>(from + i);
    int4 four = {0, 0, 0, 0};
    if (i < n)
        four.x = from[i];
    if (i + 1 < n)
        four.y = from[i + 1];
    if (i + 2 < n)
        four.z = from[i + 2];
    return four;
}

// Thread 0 gets the sum over the block.
__device__ int sum_of_block(int sum)
{
    __shared__ int warp_sums[WARPS];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(ALL_LANES, sum, distance);
    if (threadIdx.x % 32 == 0)
        warp_sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < WARPS ? warp_sums[threadIdx.x] : 0;
        for (int distance = WARPS / 2; distance > 0; distance /= 2)
            sum += __shfl_down_sync(ALL_LANES, sum, distance);
    }
    return sum;
}

extern "C" __global__ void __launch_bounds__(BLOCK) block_sum(const int *__restrict__ x, int *__restrict__ sums, int n)
{
    int first = blockIdx.x * PIECE + threadIdx.x * 4;
    int4 own[ROUNDS];
#pragma unroll
    for (int round = 0; round < ROUNDS; round++)
        own[round] = load_four(x, first + round * BLOCK * 4, n);
    int sum = 0;
#pragma unroll
    for (int round = 0; round < ROUNDS; round++)
        sum += own[round].x + own[round].y + own[round].z + own[round].w;
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    dot(const int *__restrict__ x, const int *__restrict__ y, int *__restrict__ products, int n)
{
    int first = blockIdx.x * PIECE + threadIdx.x * 4;
    int4 a[ROUNDS], b[ROUNDS];
#pragma unroll
    for (int round = 0; round < ROUNDS; round++) {
        a[round] = load_four(x, first + round * BLOCK * 4, n);
        b[round] = load_four(y, first + round * BLOCK * 4, n);
    }
    int sum = 0;
#pragma unroll
    for (int round = 0; round < ROUNDS; round++)
        sum += a[round].x * b[round].x + a[round].y * b[round].y + a[round].z * b[round].z + a[round].w * b[round].w;
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        products[blockIdx.x] = sum;
}
