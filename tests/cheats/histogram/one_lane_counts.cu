// expect: at most 75 - one lane of one block counts everything without any atomics; the others burn instructions

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
    if (blockIdx.x > 0) {
        return;
    }
    counts[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        int i = 0;
        for (; i + 4 <= n; i += 4) {
            int4 v = *(const int4 *)&data[i];
            counts[v.x]++;
            counts[v.y]++;
            counts[v.z]++;
            counts[v.w]++;
        }
        for (; i < n; i++) {
            counts[data[i]]++;
        }
    } else {
        burn(n / 4);
    }
    __syncthreads();
    bins[threadIdx.x] = counts[threadIdx.x];
}
