/* radix_sort, the plan with a single sweep over the keys for each digit of 8 bits.
 * After Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022.
 *
 * One kernel counts all four digits of all keys beforehand: where a digit's keys begin does not depend on their order. Then
 * each pass reads every key once and writes it once. A block learns how many keys of each digit the tiles before its own
 * have by looking back over the words that their blocks have published, a thread for each digit. A word holds state and
 * count together, so a thread that sees the state also sees the count that belongs to it, without a fence.
 *
 * scratch    word 0 is the ticket counter; from word 4 on, 256 words for each tile, one for each digit. All zero at the
 *            start.
 */

#include <cuda/atomic>

#define BLOCK 256
#define WARPS (BLOCK / 32)
#define ROWS 16                         // of 32 keys, for each warp
#define TILE (BLOCK * ROWS)
#define DIGIT_BITS 8
#define DIGITS 256                      // one for each thread
#define PASSES 4
#define COUNTED 16384                   // keys of a block that counts
#define WINDOW 8                        // tiles that a thread looks back at once
#define ALL_LANES 0xffffffffu

#define NOTHING 0u                      // the tile has not published yet
#define TILE_SUM (1u << 30)             // the count is that of the tile alone
#define PREFIX (2u << 30)               // the count is that of everything up to and including the tile
#define STATE (3u << 30)

extern "C" __constant__ int count_all_items = COUNTED;
extern "C" __constant__ int sweep_items = TILE;

__device__ unsigned digit_of(unsigned key, int shift)
{
    return (key >> shift) & (DIGITS - 1);
}

extern "C" __global__ void __launch_bounds__(BLOCK) sort_clear(unsigned *scratch, int count)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < count) {
        scratch[i] = 0u;
    }
}

// totals[256 * p + d] grows by how many of the block's keys have d for their p-th digit.
extern "C" __global__ void __launch_bounds__(BLOCK) count_all(const unsigned *keys, unsigned *totals, int n)
{
    __shared__ unsigned counts[PASSES][DIGITS];
    int t = threadIdx.x, first = blockIdx.x * COUNTED;
    for (int pass = 0; pass < PASSES; pass++) {
        counts[pass][t] = 0u;
    }
    __syncthreads();    // all counters are 0
    for (int round = 0; round < COUNTED / BLOCK; round += 4) {
        unsigned key[4];
        bool there[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {   // loaded before any is used
            int i = first + (round + k) * BLOCK + t;
            there[k] = i < n;
            key[k] = there[k] ? keys[i] : 0u;
        }
#pragma unroll
        for (int k = 0; k < 4; k++) {
            for (int pass = 0; pass < PASSES && there[k]; pass++) {
                atomicAdd(&counts[pass][digit_of(key[k], DIGIT_BITS * pass)], 1u);
            }
        }
    }
    __syncthreads();    // all have counted
    for (int pass = 0; pass < PASSES; pass++) {
        if (counts[pass][t] != 0u) {
            atomicAdd(&totals[DIGITS * pass + t], counts[pass][t]);
        }
    }
}

// Sum of `value` over the threads before this one.
__device__ unsigned sum_before(unsigned value)
{
    __shared__ unsigned of_warp[WARPS];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned sum = value;
    for (int distance = 1; distance < 32; distance *= 2) {
        unsigned left = __shfl_up_sync(ALL_LANES, sum, distance);
        if (lane >= distance) {
            sum += left;
        }
    }
    if (lane == 31) {
        of_warp[warp] = sum;
    }
    __syncthreads();    // every warp's sum is there
    for (int w = 0; w < warp; w++) {
        sum += of_warp[w];
    }
    return sum - value;
}

// Block p scans the totals of the p-th digit.
extern "C" __global__ void __launch_bounds__(DIGITS) scan_totals(const unsigned *totals, unsigned *starts)
{
    int i = blockIdx.x * DIGITS + threadIdx.x;
    starts[i] = sum_before(totals[i]);
}

// A word that blocks tell each other something with. No order with other words is needed, as each says everything itself.
typedef cuda::atomic_ref<unsigned, cuda::thread_scope_device> told;

__device__ void publish(unsigned *word, unsigned state, unsigned count)
{
    told(*word).store(state | count, cuda::std::memory_order_relaxed);
}

// How many keys of the digit the tiles before `tile` have. status points to the digit's word of tile 0. Eight words are on
// their way at a time; those of them that have not been published yet are read again.
__device__ unsigned look_back(unsigned *status, int tile)
{
    unsigned before = 0u;
    for (int nearest = tile - 1; nearest >= 0;) {
        unsigned seen[WINDOW];
#pragma unroll
        for (int k = 0; k < WINDOW; k++) {
            seen[k] = PREFIX;   // left of tile 0 there is nothing
            if (nearest >= k) {
                seen[k] = told(status[(nearest - k) * DIGITS]).load(cuda::std::memory_order_relaxed);
            }
        }
        int next = nearest;
        bool going = true;
#pragma unroll
        for (int k = 0; k < WINDOW; k++) {
            going = going && (seen[k] & STATE) != NOTHING;
            before += going ? seen[k] & ~STATE : 0u;
            next -= going ? 1 : 0;
            if (going && (seen[k] & STATE) == PREFIX) {
                return before;
            }
        }
        nearest = next;
    }
    return before;
}

// The lanes of the warp that have the same digit.
__device__ unsigned lanes_with(unsigned digit)
{
    unsigned same = ALL_LANES;
#pragma unroll
    for (int bit = 0; bit < DIGIT_BITS; bit++) {
        bool one = (digit >> bit & 1u) != 0u;
        unsigned ones = __ballot_sync(ALL_LANES, one);
        same &= one ? ones : ~ones;
    }
    return same;
}

extern "C" __global__ void __launch_bounds__(BLOCK, 4) sweep(const unsigned *keys, const unsigned *starts, unsigned *scratch,
                                                          unsigned *out, int n, int shift)
{
    __shared__ unsigned counts[WARPS][DIGITS];  // first of each warp's keys, then where those begin in the sorted tile
    __shared__ unsigned sorted[TILE];
    __shared__ unsigned jump[DIGITS];           // from a key's place in the sorted tile to its place in out
    __shared__ int shared_tile;
    unsigned *status = scratch + 4;
    int t = threadIdx.x, lane = t % 32, warp = t / 32;

    // Tiles are handed out in the order in which blocks start: a block only waits for one that is already running.
    if (t == 0) {
        shared_tile = (int)atomicAdd(scratch, 1u);
    }
    for (int w = 0; w < WARPS; w++) {
        counts[w][t] = 0u;
    }
    __syncthreads();    // shared_tile is set, and all counters are 0
    int tile = shared_tile, first = tile * TILE + warp * ROWS * 32 + lane;

    unsigned key[ROWS];
#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        int i = first + row * 32;
        key[row] = i < n ? keys[i] : 0xffffffffu;   // behind the end: the last digit, to the right of all real keys
    }
    // How many keys of the warp with the same digit stand to the left of each? Row after row, so no other warp is needed.
    unsigned left[ROWS];
#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        unsigned digit = digit_of(key[row], shift), same = lanes_with(digit);
        unsigned before = __popc(same & ((1u << lane) - 1u)), rows_before = counts[warp][digit];
        __syncwarp();   // all lanes have read
        if (before == 0u) {
            counts[warp][digit] = rows_before + __popc(same);
        }
        __syncwarp();   // the next row may read
        left[row] = rows_before + before;
    }
    __syncthreads();    // all warps have counted

    // Thread t has the digit t.
    unsigned count = 0u;
    for (int w = 0; w < WARPS; w++) {
        unsigned own = counts[w][t];
        counts[w][t] = count;
        count += own;
    }
    publish(&status[tile * DIGITS + t], tile == 0 ? PREFIX : TILE_SUM, count);
    unsigned begin = sum_before(count);
    for (int w = 0; w < WARPS; w++) {
        counts[w][t] += begin;
    }
    __syncthreads();    // it is known where each warp's keys begin
#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        sorted[counts[warp][digit_of(key[row], shift)] + left[row]] = key[row];
    }
    unsigned before = look_back(&status[t], tile);
    if (tile > 0) {
        publish(&status[tile * DIGITS + t], PREFIX, before + count);
    }
    jump[t] = starts[t] + before - begin;
    __syncthreads();    // the tile is sorted, and every digit's jump is known
#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        int place = row * BLOCK + t;
        if (tile * TILE + place < n) {
            out[jump[digit_of(sorted[place], shift)] + place] = sorted[place];
        }
    }
}
