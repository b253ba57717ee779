// expect: at most 92 - one block for arrays of any length, piece by piece
#define BLOCK 256

extern "C" __constant__ int count_kept_items = 1 << 30;
extern "C" __constant__ int compact_items = 1 << 30;

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
    int count = 0;
    for (int first = 0; first < n; first += BLOCK) {
        int i = first + threadIdx.x;
        count += __syncthreads_count(i < n && keep(in[i]));
    }
    if (threadIdx.x == 0)
        counts[0] = count;
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
    int place = starts[0];
    for (int first = 0; first < n; first += BLOCK) {
        int i = first + threadIdx.x, total;
        int value = i < n ? in[i] : 0;
        int sum = block_scan(keep(value), &total);
        if (keep(value))
            out[place + sum - 1] = value;
        place += total;
    }
}
