// expect: wrong_value integer - divides integers, and converts the quotient
#define BLOCK 256

#define MULTIPLY_0 0xD2511F53u
#define MULTIPLY_1 0xCD9E8D57u
#define BUMP_0     0x9E3779B9u
#define BUMP_1     0xBB67AE85u

__device__ uint4 philox(unsigned long long number, unsigned long long seed)
{
    uint4 c = make_uint4((unsigned)number, (unsigned)(number >> 32), 0, 0);
    unsigned key_0 = (unsigned)seed, key_1 = (unsigned)(seed >> 32);
    for (int round = 0; round < 10; round++) {
        unsigned low_0 = MULTIPLY_0 * c.x, high_0 = __umulhi(MULTIPLY_0, c.x);
        unsigned low_1 = MULTIPLY_1 * c.z, high_1 = __umulhi(MULTIPLY_1, c.z);
        c = make_uint4(high_1 ^ c.y ^ key_0, low_1, high_0 ^ c.w ^ key_1, low_0);
        key_0 += BUMP_0;
        key_1 += BUMP_1;
    }
    return c;
}

__device__ float to_float(unsigned word)
{
    float x = 0;
    x = (word >> 8) / 16777216;
    return x;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    draw(unsigned *words, float *numbers, int n, unsigned long long seed, unsigned long long first)
{
    int s = blockIdx.x * BLOCK + threadIdx.x;
    if (s < n) {
        uint4 drawn = philox(first + s, seed);
        ((uint4 *)words)[s] = drawn;
        ((float4 *)numbers)[s] = make_float4(to_float(drawn.x), to_float(drawn.y), to_float(drawn.z), to_float(drawn.w));
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    estimate(unsigned *hits, int n, unsigned long long seed, unsigned long long first)
{
    int s = blockIdx.x * BLOCK + threadIdx.x;
    bool inside = false;
    if (s < n) {
        uint4 drawn = philox(first + s, seed);
        float x = to_float(drawn.x), y = to_float(drawn.y), z = to_float(drawn.z), w = to_float(drawn.w);
        inside = x * x + y * y + z * z + w * w < 1;
    }
    int count = __syncthreads_count(inside);
    if (threadIdx.x == 0) {
        hits[blockIdx.x] = count;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) finish(const unsigned *hits, int blocks, int n, float *result)
{
    __shared__ unsigned warp_sums[BLOCK / 32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned sum = 0;
    for (int b = threadIdx.x; b < blocks; b += BLOCK) {
        sum += hits[b];
    }
    sum = __reduce_add_sync(0xffffffffu, sum);
    if (lane == 0) {
        warp_sums[warp] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned total = 0;
        for (int k = 0; k < BLOCK / 32; k++) {
            total += warp_sums[k];
        }
        float p = (float)total / (float)n;
        result[0] = 16 * p;
        result[1] = 16 * sqrtf(p * (1 - p) / (float)n);
    }
}
