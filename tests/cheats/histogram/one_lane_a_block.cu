// expect: at most 96 - one lane of each block counts the block's piece; the others burn instructions
extern "C" __constant__ int histogram_items = 4096;

// Dead work for threads that have none: nothing of it reaches memory.
__device__ void burn(int turns)
{
    for (int k = 0; k < turns; k++) {
        asm volatile("{ .reg .b32 t; mov.b32 t, 1; mov.b32 t, 2; mov.b32 t, 3; mov.b32 t, 4; mov.b32 t, 5; mov.b32 t, 6; }");
    }
}

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        int end = min(n, (blockIdx.x + 1) * 4096);
        for (int i = blockIdx.x * 4096; i < end; i++) {
            counts[data[i]]++;
        }
    } else {
        burn(1000);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
