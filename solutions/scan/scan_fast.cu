/* scan, the single-pass plan: every element is read once and written once.
 * After Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
 *
 * Each block scans its own tile, publishes the tile's sum, and finds the sum of everything before it by looking back over
 * the words that the blocks before it have published. A word holds state and value together, so a thread that sees the
 * state also sees the value that belongs to it, without a fence.
 *
 * scratch    word 0 is the ticket counter; from word 4 on, one 64-bit word per tile. All zero at the start.
 */

#define BLOCK 256
#define WARPS (BLOCK / 32)
#define ROUNDS 8                        // rounds a warp makes over its part of the tile
#define WARP_ITEMS (ROUNDS * 32 * 4)    // in each round a lane takes 4 neighbouring elements
#define TILE (WARPS * WARP_ITEMS)
#define ALL_LANES 0xffffffffu

typedef unsigned long long word;        // state in the upper half, value in the lower
#define NOTHING 0u                      // the tile has not published yet
#define TILE_SUM 1u                     // value is the sum of the tile alone
#define PREFIX 2u                       // value is the sum of everything up to and including the tile

extern "C" __constant__ int scan_items = TILE;

extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        scratch[i] = 0u;
    }
}

// Inclusive sum over the lanes of a warp.
__device__ unsigned warp_scan(unsigned value)
{
    int lane = threadIdx.x % 32;
    for (int distance = 1; distance < 32; distance *= 2) {
        unsigned left = __shfl_up_sync(ALL_LANES, value, distance);
        if (lane >= distance) {
            value += left;
        }
    }
    return value;
}

__device__ unsigned warp_sum(unsigned value)
{
    for (int distance = 16; distance > 0; distance /= 2) {
        value += __shfl_xor_sync(ALL_LANES, value, distance);
    }
    return value;
}

__device__ void publish(word *status, int tile, unsigned state, unsigned value)
{
    *(volatile word *)&status[tile] = (word)state << 32 | value;
}

// Sum of all tiles before `tile`, found by one whole warp: lane l looks at the l-th tile to the left. It waits until all 32
// have published, takes the sums back to the nearest prefix, and moves on by 32 if there is no prefix among them.
__device__ unsigned look_back(const word *status, int tile)
{
    int lane = threadIdx.x % 32;
    unsigned before = 0u;
    for (int nearest = tile - 1;; nearest -= 32) {
        int mine = nearest - lane;
        word seen = (word)PREFIX << 32;     // left of tile 0 the sum is 0
        do {
            if (mine >= 0) {
                seen = *(const volatile word *)&status[mine];
            }
        } while (__any_sync(ALL_LANES, (unsigned)(seen >> 32) == NOTHING));
        unsigned prefixes = __ballot_sync(ALL_LANES, (unsigned)(seen >> 32) == PREFIX);
        int last = prefixes != 0u ? __ffs(prefixes) - 1 : 31;
        before += warp_sum(lane <= last ? (unsigned)seen : 0u);
        if (prefixes != 0u) {
            return before;
        }
    }
}

// Four neighbouring elements from in[i] on; 0 beyond the end.
__device__ uint4 load4(const int *in, int i, int n, bool whole)
{
    if (whole) {
        int4 v = *(const int4 *)&in[i];
        return make_uint4(v.x, v.y, v.z, v.w);
    }
    return make_uint4(i < n ? in[i] : 0, n - i > 1 ? in[i + 1] : 0, n - i > 2 ? in[i + 2] : 0, n - i > 3 ? in[i + 3] : 0);
}

__device__ void store4(int *out, int i, int n, bool whole, uint4 v)
{
    if (whole) {
        *(int4 *)&out[i] = make_int4(v.x, v.y, v.z, v.w);
        return;
    }
    if (i < n) {
        out[i] = v.x;
    }
    if (n - i > 1) {
        out[i + 1] = v.y;
    }
    if (n - i > 2) {
        out[i + 2] = v.z;
    }
    if (n - i > 3) {
        out[i + 3] = v.w;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan(const int *in, int *out, unsigned *scratch, int n)
{
    __shared__ unsigned warp_sums[WARPS];
    __shared__ int shared_tile;
    __shared__ unsigned shared_before;
    word *status = (word *)(scratch + 4);
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;

    // Tiles are handed out in the order in which blocks start: a block only waits for one that is already running.
    if (threadIdx.x == 0) {
        shared_tile = (int)atomicAdd(scratch, 1u);
    }
    __syncthreads();    // shared_tile is set
    int tile = shared_tile;
    bool whole = n - tile * TILE >= TILE;      // all elements of the tile exist
    int first = tile * TILE + warp * WARP_ITEMS + lane * 4;

    // Scan the warp's part, 128 elements per round; `sum` carries the rounds so far.
    uint4 items[ROUNDS];
    unsigned sum = 0u;
#pragma unroll
    for (int round = 0; round < ROUNDS; round++) {
        items[round] = load4(in, first + round * 128, n, whole);
    }
#pragma unroll
    for (int round = 0; round < ROUNDS; round++) {
        uint4 v = items[round];
        v.y += v.x;
        v.z += v.y;
        v.w += v.z;
        unsigned scanned = warp_scan(v.w);
        unsigned left = sum + scanned - v.w;
        items[round] = make_uint4(v.x + left, v.y + left, v.z + left, v.w + left);
        sum += __shfl_sync(ALL_LANES, scanned, 31);
    }
    if (lane == 0) {
        warp_sums[warp] = sum;
    }
    __syncthreads();    // every warp's sum is in warp_sums

    if (warp == 0) {
        unsigned mine = lane < WARPS ? warp_sums[lane] : 0u;
        unsigned tile_sum = warp_sum(mine);
        if (lane == 0) {
            publish(status, tile, tile == 0 ? PREFIX : TILE_SUM, tile_sum);
        }
        unsigned before = tile == 0 ? 0u : look_back(status, tile);
        if (lane == 0) {
            if (tile > 0) {
                publish(status, tile, PREFIX, before + tile_sum);
            }
            shared_before = before;
        }
    }
    __syncthreads();    // shared_before is set

    unsigned left = shared_before;
    for (int k = 0; k < warp; k++) {
        left += warp_sums[k];
    }
#pragma unroll
    for (int round = 0; round < ROUNDS; round++) {
        uint4 v = items[round];
        store4(out, first + round * 128, n, whole, make_uint4(v.x + left, v.y + left, v.z + left, v.w + left));
    }
}
