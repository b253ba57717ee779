// cause: The total is stored by the thread whose number is blocks, which does not exist when there are 256 blocks or more, so starts[blocks] stays unwritten for long arrays
// first: never_written not_reached
// says: Line 81 would store the missing one, but the condition at line 80 is true for none of the 256 threads.
// asks: What sends the thread in the message past the store, and with which values?
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
    const int lane = threadIdx.x % 32;
    for (int d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(ALL, value, d);
        if (lane >= d)
            value += left;
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
    if (threadIdx.x == blocks)
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
