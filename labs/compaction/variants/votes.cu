// expect: pass - places within a warp by a ballot, the warps' sums added by every thread
#define BLOCK 256

__device__ bool keep(int value)
{
    return value > 0;
}

__device__ int block_scan(int value, int *total)
{
    __shared__ int sums[BLOCK];
    int t = threadIdx.x;
    sums[t] = value;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        int left = t >= d ? sums[t - d] : 0;
        __syncthreads();
        sums[t] += left;
        __syncthreads();
    }
    int sum = sums[t];
    *total = sums[BLOCK - 1];
    __syncthreads();
    return sum;
}

// Number of the lanes' votes before this thread's in the block; *total: of all votes.
__device__ int votes_before(bool vote, int *total)
{
    __shared__ int of_warp[BLOCK / 32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned votes = __ballot_sync(0xffffffffu, vote);
    if (lane == 0) {
        of_warp[warp] = __popc(votes);
    }
    __syncthreads();
    int before = 0, all = 0;
    for (int w = 0; w < BLOCK / 32; w++) {
        before += w < warp ? of_warp[w] : 0;
        all += of_warp[w];
    }
    *total = all;
    return before + __popc(votes & ((1u << lane) - 1));
}

extern "C" __global__ void __launch_bounds__(BLOCK) count_kept(const int *in, int *counts, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x, total;
    votes_before(i < n && in[i] > 0, &total);
    if (threadIdx.x == BLOCK - 1)
        counts[blockIdx.x] = total;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_counts(const int *counts, int *starts, int blocks)
{
    int before = 0;
    for (int first = 0; first < blocks; first += BLOCK) {
        int b = first + threadIdx.x;
        int count = b < blocks ? counts[b] : 0;
        int total;
        int sum = block_scan(count, &total);
        if (b < blocks) {
            starts[b] = before + sum - count;
        }
        before += total;
    }
    if (threadIdx.x == 0) {
        starts[blocks] = before;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) compact(const int *in, const int *starts, int *out, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x, total;
    int value = i < n ? in[i] : -1;
    int place = votes_before(keep(value), &total);
    if (keep(value))
        out[starts[blockIdx.x] + place] = value;
}
