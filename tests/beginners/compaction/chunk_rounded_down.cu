// cause: The number of counts per thread is rounded down, so with fewer than 256 blocks no thread takes any, and otherwise the last ones are left out
// first: never_written before
// says: sets chunk to blocks / BLOCK, which drops the remainder
// asks: Which elements of starts does scan_counts leave out?
#define BLOCK 256
#define WARPS (BLOCK / 32)

// The condition: which elements are kept?
__device__ bool keep(int value)
{
    return value > 0;
}

// Helper functions, if you want any. The scan of a block's values is needed in two kernels.

extern "C" __global__ void __launch_bounds__(BLOCK) count_kept(const int *in, int *counts, int n)
{
    // How many elements of the block's piece are kept? One thread stores the number.
    int i = threadIdx.x + blockIdx.x * BLOCK;
    int number = __syncthreads_count(i < n ? keep(in[i]) : 0);
    if (!threadIdx.x)
        counts[blockIdx.x] = number;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_counts(const int *counts, int *starts, int blocks)
{
    // There is one block, and there may be more counts than it has threads. Let it scan 256 of them in each turn. What must
    // a turn know of those before it?
    // No turns: each thread takes a few neighbouring counts.
    __shared__ int sums[BLOCK];
    int t = threadIdx.x;
    int chunk = blocks / BLOCK;
    int first = t * chunk;
    int last = min(first + chunk, blocks);
    int mine = 0;
    for (int b = first; b < last; b++)
        mine += counts[b];

    sums[t] = mine;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        int left = t >= d ? sums[t - d] : 0;
        __syncthreads();
        sums[t] += left;
        __syncthreads();
    }

    int place = sums[t] - mine;
    for (int b = first; b < last; b++) {
        starts[b] = place;
        place += counts[b];
    }
    if (t == BLOCK - 1)
        starts[blocks] = sums[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) compact(const int *in, const int *starts, int *out, int n)
{
    // Scan 1 for each element that is kept and 0 for each other one. What does a thread's sum say about its element's place?
    __shared__ int warp_counts[WARPS];
    int t = threadIdx.x;
    int lane = t & 31, warp = t >> 5;
    int i = t + blockIdx.x * BLOCK;
    int value = i < n ? in[i] : 0;
    bool kept = keep(value);
    unsigned votes = __ballot_sync(0xffffffffu, kept);
    if (lane == 0)
        warp_counts[warp] = __popc(votes);
    __syncthreads();
    int place = starts[blockIdx.x] + __popc(votes & ((1u << lane) - 1));
    for (int w = 0; w < warp; w++)
        place += warp_counts[w];

    // Store the element, if it is one that is kept.
    if (kept)
        out[place] = value;
}
