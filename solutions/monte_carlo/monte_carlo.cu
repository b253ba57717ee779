/* Monte Carlo: the volume of a ball in four dimensions, from random points that every thread makes for itself.
 *
 * Contract   Philox4x32-10 makes four words of 32 bits from a counter and a key. The counter's words are the low and the
 *            high half of a sample's number, then 0 and 0. The key's words are the low and the high half of `seed`.
 *            draw       words[4 * s + k] = word k of the number first + s, for all s below n, and
 *                       numbers[j] = the upper 24 bits of words[j] / 2^24: a float from 0 to below 1, exactly.
 *            estimate   sample s is the point whose four coordinates are the numbers of first + s, for s below n. Block b
 *                       has the samples b * 256 to b * 256 + 255, and hits[b] is how many of them are in the ball:
 *                       the sum of the squares of their coordinates is below 1.
 *            finish     hits has `blocks` counts of n samples in all (in some tests those of a longer run), and p is the
 *                       share of hits. result[0] = the volume of the whole ball, 16 * p;
 *                       result[1] = its standard error, 16 * sqrt(p * (1 - p) / n).
 *            words, numbers, hits and result hold rubbish before. No array holds the samples.
 * Launch     draw and estimate with a thread for each sample, finish with one block: blocks of 256 threads.
 * Run        build/lockstep grade monte_carlo
 * Read       handouts/monte_carlo.md, which has a round of Philox with its numbers
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

#define BLOCK 256

// What Philox multiplies by, and what it adds to the key's two words after each round.
#define MULTIPLY_0 0xD2511F53u
#define MULTIPLY_1 0xCD9E8D57u
#define BUMP_0     0x9E3779B9u
#define BUMP_1     0xBB67AE85u

// The four words of a sample's number, in x, y, z and w.
__device__ uint4 philox(unsigned long long number, unsigned long long seed)
{
    uint4 c = make_uint4((unsigned)number, (unsigned)(number >> 32), 0, 0);
    // Ten rounds on c. The page has one of them, with the values that it must give.
    // --- your code ---
    unsigned key_0 = (unsigned)seed, key_1 = (unsigned)(seed >> 32);
    for (int round = 0; round < 10; round++) {
        unsigned low_0 = MULTIPLY_0 * c.x, high_0 = __umulhi(MULTIPLY_0, c.x);
        unsigned low_1 = MULTIPLY_1 * c.z, high_1 = __umulhi(MULTIPLY_1, c.z);
        c = make_uint4(high_1 ^ c.y ^ key_0, low_1, high_0 ^ c.w ^ key_1, low_0);
        key_0 += BUMP_0;
        key_1 += BUMP_1;
    }
    // --- end ---
    return c;
}

// A float from 0 to below 1, from the upper 24 bits of a word.
__device__ float to_float(unsigned word)
{
    float x = 0;
    // --- your code ---
    x = (float)(word >> 8) * (1.0f / 16777216.0f);
    // --- end ---
    return x;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    draw(unsigned *words, float *numbers, int n, unsigned long long seed, unsigned long long first)
{
    // The thread's four words, and the floats made of them. How are 16 bytes stored at once?
    // --- your code ---
    int s = blockIdx.x * BLOCK + threadIdx.x;
    if (s < n) {
        uint4 drawn = philox(first + s, seed);
        ((uint4 *)words)[s] = drawn;    // 16 bytes: the arrays begin at a multiple of it
        ((float4 *)numbers)[s] = make_float4(to_float(drawn.x), to_float(drawn.y), to_float(drawn.z), to_float(drawn.w));
    }
    // --- end ---
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    estimate(unsigned *hits, int n, unsigned long long seed, unsigned long long first)
{
    // Is the thread's sample in the ball? Then: how many of the block's are?
    // --- your code ---
    int s = blockIdx.x * BLOCK + threadIdx.x;
    bool inside = false;
    if (s < n) {
        uint4 drawn = philox(first + s, seed);
        float x = to_float(drawn.x), y = to_float(drawn.y), z = to_float(drawn.z), w = to_float(drawn.w);
        inside = x * x + y * y + z * z + w * w < 1;
    }
    int count = __syncthreads_count(inside);    // a barrier that counts; all threads of the block come to it
    if (threadIdx.x == 0) {
        hits[blockIdx.x] = count;
    }
    // --- end ---
}

extern "C" __global__ void __launch_bounds__(BLOCK) finish(const unsigned *hits, int blocks, int n, float *result)
{
    // All hits, added up by the whole block. Then one thread has the result.
    // --- your code ---
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
    __syncthreads();    // every warp's sum is there
    if (threadIdx.x == 0) {
        unsigned total = 0;
        for (int k = 0; k < BLOCK / 32; k++) {
            total += warp_sums[k];
        }
        float p = (float)total / (float)n;
        result[0] = 16 * p;
        result[1] = 16 * sqrtf(p * (1 - p) / (float)n);
    }
    // --- end ---
}
