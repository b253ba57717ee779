/* Monte Carlo with the arithmetic that a counter of 64 bits leaves.
 *
 * Words 2 and 3 of the counter begin with 0, so the first round needs one product and not two. Of its four results only two
 * depend on the low half of the number; what the second round makes of the others is the same for all numbers with one high
 * half, so the compiler keeps it out of a thread's loop. The keys of the ten rounds follow from the seed alone and are made
 * once, too. A thread takes many samples, a block of threads apart, and counts in a register; the block adds up at the end.
 */

#define BLOCK 256
#define ITEMS 2048
#define ROUNDS 10
#define WARPS (BLOCK / 32)
#define ALL_LANES 0xffffffffu

extern "C" __constant__ int estimate_items = ITEMS;

// The ten keys.
struct keys {
    unsigned low[ROUNDS], high[ROUNDS];
};

__device__ __forceinline__ keys keys_of(unsigned long long seed)
{
    keys all;
#pragma unroll
    for (int round = 0; round < ROUNDS; round++) {
        all.low[round] = (unsigned)seed + round * 0x9E3779B9u;
        all.high[round] = (unsigned)(seed >> 32) + round * 0xBB67AE85u;
    }
    return all;
}

// Philox4x32-10 of the number high * 2^32 + low.
__device__ __forceinline__ uint4 philox(unsigned low, unsigned high, const keys &all)
{
    uint4 c = make_uint4(low, high, 0, 0);
#pragma unroll
    for (int round = 0; round < ROUNDS; round++) {
        unsigned long long even = 0xD2511F53ull * c.x, odd = 0xCD9E8D57ull * c.z;
        c = make_uint4((unsigned)(odd >> 32) ^ c.y ^ all.low[round], (unsigned)odd,
                       (unsigned)(even >> 32) ^ c.w ^ all.high[round], (unsigned)even);
    }
    return c;
}

__device__ __forceinline__ float to_float(unsigned word)
{
    return (float)(word >> 8) * 0x1p-24f;
}

// The sum over the block, in thread 0.
__device__ unsigned block_sum(unsigned part)
{
    __shared__ unsigned warp_sums[WARPS];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    part = __reduce_add_sync(ALL_LANES, part);
    if (lane == 0) {
        warp_sums[warp] = part;
    }
    __syncthreads();
    return warp == 0 ? __reduce_add_sync(ALL_LANES, lane < WARPS ? warp_sums[lane] : 0) : 0;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    draw(unsigned *__restrict__ words, float *__restrict__ numbers, int n, unsigned long long seed,
         unsigned long long first)
{
    int s = blockIdx.x * BLOCK + threadIdx.x;
    if (s < n) {
        unsigned long long number = first + s;
        uint4 drawn = philox((unsigned)number, (unsigned)(number >> 32), keys_of(seed));
        __stcs((uint4 *)words + s, drawn);    // nobody reads them soon
        __stcs((float4 *)numbers + s,
               make_float4(to_float(drawn.x), to_float(drawn.y), to_float(drawn.z), to_float(drawn.w)));
    }
}

__device__ __forceinline__ bool is_inside(unsigned low, unsigned high, const keys &all)
{
    uint4 drawn = philox(low, high, all);
    float x = to_float(drawn.x), y = to_float(drawn.y), z = to_float(drawn.z), w = to_float(drawn.w);
    return x * x + y * y + z * z + w * w < 1;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    estimate(unsigned *hits, int n, unsigned long long seed, unsigned long long first)
{
    keys all = keys_of(seed);
    unsigned long long begin = first + (unsigned long long)blockIdx.x * ITEMS;
    unsigned low = (unsigned)begin, high = (unsigned)(begin >> 32), count = 0;
    int left = min(n - (int)blockIdx.x * ITEMS, ITEMS);
    if (low <= 0u - ITEMS) {    // the usual block: all its numbers have one high half
#pragma unroll 4
        for (int at = threadIdx.x; at < left; at += BLOCK) {
            count += is_inside(low + at, high, all);
        }
    } else {
        for (int at = threadIdx.x; at < left; at += BLOCK) {
            unsigned long long number = begin + at;
            count += is_inside((unsigned)number, (unsigned)(number >> 32), all);
        }
    }
    count = block_sum(count);
    if (threadIdx.x == 0) {
        hits[blockIdx.x] = count;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) finish(const unsigned *hits, int blocks, int n, float *result)
{
    unsigned sum = 0;
    for (int b = threadIdx.x; b < blocks; b += BLOCK) {
        sum += hits[b];
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        float p = (float)sum / (float)n;
        result[0] = 16 * p;
        result[1] = 16 * sqrtf(p * (1 - p) / (float)n);
    }
}
