// expect: at most 80 - the first warp of each block does everything; with __syncwarp() no barrier is needed, and no race is left
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) tripled(const int *in, int *out, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        out[i] = 3 * in[i];
}

extern "C" __global__ void __launch_bounds__(BLOCK) mirrored(const int *in, int *out, int n)
{
    __shared__ int cells[BLOCK];
    int first = blockIdx.x * BLOCK;
    if (threadIdx.x >= 32)
        return;
    for (int t = threadIdx.x; t < BLOCK; t += 32)
        cells[t] = first + t < n ? in[first + t] : 0;
    __syncwarp();
    for (int t = threadIdx.x; t < BLOCK && first + t < n; t += 32)
        out[first + t] = cells[t] + cells[BLOCK - 1 - t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) differences(const int *in, int *out, int n)
{
    __shared__ int cells[BLOCK];
    int first = blockIdx.x * BLOCK;
    if (threadIdx.x >= 32)
        return;
    for (int t = threadIdx.x; t < BLOCK; t += 32)
        cells[t] = first + t < n ? in[first + t] : 0;
    __syncwarp();
    for (int t = threadIdx.x; t < BLOCK && first + t < n; t += 32)
        out[first + t] = cells[t] - (t > 0 ? cells[t - 1] : 0);
}

extern "C" __global__ void __launch_bounds__(BLOCK) positives(const int *in, int *counts, int n)
{
    int first = blockIdx.x * BLOCK, count = 0;
    if (threadIdx.x >= 32)
        return;
    for (int t = threadIdx.x; t < BLOCK && first + t < n; t += 32)
        count += in[first + t] > 0;
    count = __reduce_add_sync(0xffffffffu, count);
    if (threadIdx.x == 0)
        counts[blockIdx.x] = count;
}
