// expect: pass - four elements for each thread, counted by atomics, starts by one warp
#define BLOCK 128
#define EACH 4
#define PIECE (BLOCK * EACH)

extern "C" __constant__ int count_kept_items = PIECE;
extern "C" __constant__ int compact_items = PIECE;

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

extern "C" __global__ void __launch_bounds__(BLOCK) count_kept(const int *in, int *counts, int n)
{
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    for (int k = threadIdx.x; k < PIECE; k += BLOCK) {
        int i = blockIdx.x * PIECE + k;
        if (i < n && keep(in[i]))
            atomicAdd(&count, 1);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        counts[blockIdx.x] = count;
}

extern "C" __global__ void __launch_bounds__(32) scan_counts(const int *counts, int *starts, int blocks)
{
    int before = 0;
    for (int first = 0; first < blocks; first += 32) {
        int b = first + threadIdx.x;
        int count = b < blocks ? counts[b] : 0, sum = count;
        for (int d = 1; d < 32; d *= 2) {
            int left = __shfl_up_sync(0xffffffffu, sum, d);
            if (threadIdx.x >= d)
                sum += left;
        }
        if (b < blocks)
            starts[b] = before + sum - count;
        before += __shfl_sync(0xffffffffu, sum, 31);
    }
    if (threadIdx.x == 0)
        starts[blocks] = before;
}

extern "C" __global__ void __launch_bounds__(BLOCK) compact(const int *in, const int *starts, int *out, int n)
{
    int place = starts[blockIdx.x];
    for (int first = blockIdx.x * PIECE; first < min(n, (int)(blockIdx.x + 1) * PIECE); first += BLOCK) {
        int i = first + threadIdx.x, total;
        int value = i < n ? in[i] : 0;
        int sum = block_scan(keep(value), &total);
        if (keep(value))
            out[place + sum - 1] = value;
        place += total;
    }
}
