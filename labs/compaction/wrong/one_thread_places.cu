// expect: budget max_thread_share - right, but thread 0 of each block moves all of its elements
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
    if (threadIdx.x == 0) {
        int place = starts[blockIdx.x];
        int end = min(n, (int)(blockIdx.x + 1) * BLOCK);
        for (int i = blockIdx.x * BLOCK; i < end; i++) {
            if (keep(in[i])) {
                out[place++] = in[i];
            }
        }
    }
}
