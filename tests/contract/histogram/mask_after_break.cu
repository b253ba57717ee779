// page: reference.md
// says: A lane that left a loop with `break` and waits at a later barrier has not returned.
// expect: sync_mask
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x;; i += gridDim.x * blockDim.x) {
        if (i >= n) {
            break;
        }
        unsigned same = __match_any_sync(0xffffffff, data[i]);
        if (threadIdx.x % 32 == __ffs(same) - 1) {
            atomicAdd(&counts[data[i]], __popc(same));
        }
    }
    __syncthreads();
    if (counts[threadIdx.x] > 0) {
        atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
    }
}
