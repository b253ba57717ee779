/* compaction with ballots instead of sums, and more work per block.
 *
 * A warp asks all its lanes at once whether they keep their element: the 32 answers are the bits of one word, and the
 * number of bits below a lane's own is its place. No barrier is needed for that. Each warp takes 16 such rows of 32
 * elements, all loaded before any is used, so that many loads are on their way. A block has 4096 elements, so that the
 * one block of scan_counts has 16 times fewer counts to add up. Each of its threads takes 16 neighbouring ones, and a
 * turn 16384: enough for 67 million elements.
 */

#define BLOCK 256
#define WARPS (BLOCK / 32)
#define ROWS 16                   // of 32 elements, for each warp
#define PIECE (BLOCK * ROWS)      // elements of a block
#define SCAN_BLOCK 1024
#define SCAN_ROUNDS 4             // loads of 4 counts, for each thread in a turn
#define SCAN_PIECE (SCAN_BLOCK * SCAN_ROUNDS * 4)     // counts in a turn
#define ALL 0xffffffffu

extern "C" __constant__ int count_kept_items = PIECE;
extern "C" __constant__ int compact_items = PIECE;

__device__ bool keep(int value)
{
    return value > 0;
}

extern "C" __global__ void __launch_bounds__(BLOCK) count_kept(const int *in, int *counts, int n)
{
    __shared__ int of_warp[WARPS];
    int first = blockIdx.x * PIECE, lane = threadIdx.x % 32, count = 0;
    if (n - first >= PIECE) {
        int4 v[ROWS / 4];    // four neighbouring elements with each load: the order does not matter here
#pragma unroll
        for (int k = 0; k < ROWS / 4; k++) {
            v[k] = *(const int4 *)&in[first + 4 * (k * BLOCK + threadIdx.x)];
        }
#pragma unroll
        for (int k = 0; k < ROWS / 4; k++) {
            count += keep(v[k].x) + keep(v[k].y) + keep(v[k].z) + keep(v[k].w);
        }
    } else {    // the last block
        for (int i = first + threadIdx.x; i < n; i += BLOCK) {
            count += keep(in[i]);
        }
    }
    count = __reduce_add_sync(ALL, count);
    if (lane == 0) {
        of_warp[threadIdx.x / 32] = count;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int w = 0; w < WARPS; w++) {
            sum += of_warp[w];
        }
        counts[blockIdx.x] = sum;
    }
}

// Inclusive sum over the lanes of a warp.
__device__ int warp_scan(int value)
{
    int lane = threadIdx.x % 32;
    for (int d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(ALL, value, d);
        if (lane >= d) {
            value += left;
        }
    }
    return value;
}

// Four neighbouring elements from from[i] on; 0 behind the end, which is not kept and adds nothing.
__device__ int4 load4(const int *from, int i, int n)
{
    if (n - i >= 4) {
        return *(const int4 *)&from[i];
    }
    return make_int4(i < n ? from[i] : 0, n - i > 1 ? from[i + 1] : 0, n - i > 2 ? from[i + 2] : 0, 0);
}

__device__ void store4(int *to, int i, int n, int4 v)
{
    if (n - i >= 4) {
        *(int4 *)&to[i] = v;
        return;
    }
    if (i < n) {
        to[i] = v.x;
    }
    if (n - i > 1) {
        to[i + 1] = v.y;
    }
    if (n - i > 2) {
        to[i + 2] = v.z;
    }
}

extern "C" __global__ void __launch_bounds__(SCAN_BLOCK) scan_counts(const int *counts, int *starts, int blocks)
{
    __shared__ int of_warp[2][SCAN_BLOCK / 32];     // one for each of two turns: while a warp reads, another may be ahead
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, before = 0, turn = 0;
    for (int first = 0; first < blocks; first += SCAN_PIECE, turn ^= 1) {
        int b = first + 4 * SCAN_ROUNDS * threadIdx.x, sum = 0;     // 16 neighbouring counts for each thread
        int4 v[SCAN_ROUNDS];
#pragma unroll
        for (int k = 0; k < SCAN_ROUNDS; k++) {
            v[k] = load4(counts, b + 4 * k, blocks);
        }
#pragma unroll
        for (int k = 0; k < SCAN_ROUNDS; k++) {
            sum += v[k].x + v[k].y + v[k].z + v[k].w;
        }
        int scanned = warp_scan(sum);
        if (lane == 31) {
            of_warp[turn][warp] = scanned;
        }
        __syncthreads();    // every warp has stored its sum
        int sums = warp_scan(of_warp[turn][lane]);  // every warp does it for itself: no second barrier
        int total = __shfl_sync(ALL, sums, 31), left = __shfl_sync(ALL, sums, max(warp - 1, 0));
        int start = before + (warp > 0 ? left : 0) + scanned - sum;
#pragma unroll
        for (int k = 0; k < SCAN_ROUNDS; k++) {
            int second = start + v[k].x, third = second + v[k].y, fourth = third + v[k].z;
            store4(starts, b + 4 * k, blocks, make_int4(start, second, third, fourth));
            start = fourth + v[k].w;
        }
        before += total;
    }
    if (threadIdx.x == 0) {
        starts[blocks] = before;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) compact(const int *in, const int *starts, int *out, int n)
{
    __shared__ int of_warp[WARPS];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int first = blockIdx.x * PIECE + warp * ROWS * 32 + lane;
    int value[ROWS], place[ROWS], count = 0;
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
        int i = first + k * 32;
        value[k] = i < n ? in[i] : 0;
    }
    int start = starts[blockIdx.x];
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
        unsigned votes = __ballot_sync(ALL, keep(value[k]));
        place[k] = count + __popc(votes & ((1u << lane) - 1));
        count += __popc(votes);
    }
    if (lane == 0) {
        of_warp[warp] = count;
    }
    __syncthreads();
    for (int w = 0; w < warp; w++) {
        start += of_warp[w];
    }
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
        if (keep(value[k])) {
            out[start + place[k]] = value[k];
        }
    }
}
