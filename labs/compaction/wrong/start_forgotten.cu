// expect: race_global - every block stores from out[0] on
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

extern "C" __global__ void __launch_bounds__(BLOCK) count_kept(const int *in, int *counts, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int count = __syncthreads_count(i < n && keep(in[i]));
    if (threadIdx.x == 0) {
        counts[blockIdx.x] = count;
    }
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
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int value = i < n ? in[i] : 0;
    bool kept = i < n && keep(value);
    int total;
    int sum = block_scan(kept ? 1 : 0, &total);
    if (kept) {
        out[sum - 1] = value;
    }
}
