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
    // --- end ---
    return c;
}

// A float from 0 to below 1, from the upper 24 bits of a word.
__device__ float to_float(unsigned word)
{
    float x = 0;
    // --- your code ---
    // --- end ---
    return x;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    draw(unsigned *words, float *numbers, int n, unsigned long long seed, unsigned long long first)
{
    // The thread's four words, and the floats made of them. How are 16 bytes stored at once?
    // --- your code ---
    // --- end ---
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    estimate(unsigned *hits, int n, unsigned long long seed, unsigned long long first)
{
    // Is the thread's sample in the ball? Then: how many of the block's are?
    // --- your code ---
    // --- end ---
}

extern "C" __global__ void __launch_bounds__(BLOCK) finish(const unsigned *hits, int blocks, int n, float *result)
{
    // All hits, added up by the whole block. Then one thread has the result.
    // --- your code ---
    // --- end ---
}
