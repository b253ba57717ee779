// cause: Lanes below d have no lane d further up, get their own value back and double it, so their sums are too large
// first: wrong_value own_added
// says: they get back their own value and add it once more.
// asks: What does lane 0 add in the first turn?
#define BLOCK 256
#define WARPS (BLOCK / 32)
#define ALL 0xffffffffu

// The condition: which elements are kept?
__device__ bool keep(int value)
{
    return value > 0;
}

// Helper functions, if you want any. The scan of a block's values is needed in two kernels.
// inclusive sums within a warp
__device__ int scan_warp(int value)
{
    for (int d = 1; d < 32; d *= 2) {
        value += __shfl_up_sync(ALL, value, d);
    }
    return value;
}

// inclusive sums within the block; total is the sum of all
__device__ int scan_block(int value, int &total)
{
    __shared__ int ends[WARPS];
    const int warp = threadIdx.x / 32;
    int sum = scan_warp(value);
    if (threadIdx.x % 32 == 31)
        ends[warp] = sum;
    __syncthreads();
    total = 0;
    for (int w = 0; w < WARPS; w++) {
        int end = ends[w];
        if (w < warp)
            sum += end;
        total += end;
    }
    __syncthreads();    // the next call may store into ends again
    return sum;
}

extern "C" __global__ void __launch_bounds__(BLOCK) count_kept(const int *in, int *counts, int n)
{
    // How many elements of the block's piece are kept? One thread stores the number.
    __shared__ int number;
    if (threadIdx.x == 0)
        number = 0;
    __syncthreads();
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int value = i < n ? in[i] : -1;
    unsigned votes = __ballot_sync(ALL, keep(value));
    if (threadIdx.x % 32 == 0)
        atomicAdd(&number, __popc(votes));
    __syncthreads();
    if (threadIdx.x == 0)
        counts[blockIdx.x] = number;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_counts(const int *counts, int *starts, int blocks)
{
    // There is one block, and there may be more counts than it has threads. Let it scan 256 of them in each turn. What must
    // a turn know of those before it?
    int before = 0;
    int turns = (blocks + BLOCK - 1) / BLOCK;
    for (int turn = 0; turn < turns; turn++) {
        int b = turn * BLOCK + threadIdx.x;
        int mine = b < blocks ? counts[b] : 0;
        int total;
        int sum = scan_block(mine, total);
        if (b < blocks)
            starts[b] = before + (sum - mine);
        before += total;
    }
    if (threadIdx.x == BLOCK - 1)
        starts[blocks] = before;
}

extern "C" __global__ void __launch_bounds__(BLOCK) compact(const int *in, const int *starts, int *out, int n)
{
    // Scan 1 for each element that is kept and 0 for each other one. What does a thread's sum say about its element's place?
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int value = i < n ? in[i] : -1;
    int kept = keep(value) ? 1 : 0;
    int total;
    int place = scan_block(kept, total) - kept;

    // Store the element, if it is one that is kept.
    if (kept)
        out[starts[blockIdx.x] + place] = value;
}
