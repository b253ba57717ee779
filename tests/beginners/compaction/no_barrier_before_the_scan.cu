// cause: No barrier between filling the cells and the first step of the scan, in which a thread reads the cell of its left neighbour
// first: race_shared
// says: no barrier between them
// asks: What must every thread of the block have finished before any of them goes on to line 22?
#define BLOCK 256

// The condition: which elements are kept?
__device__ bool keep(int value)
{
    return value > 0;
}

// Helper functions, if you want any. The scan of a block's values is needed in two kernels.
template <typename T>
__device__ T running_sum(T value, T *cells)
{
    const int t = threadIdx.x;
    cells[t] = value;
    for (int d = 1; d < BLOCK; d <<= 1) {
        T left = 0;
        if (t >= d)
            left = cells[t - d];
        __syncthreads();
        cells[t] += left;
        __syncthreads();
    }
    return cells[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) count_kept(const int *in, int *counts, int n)
{
    // How many elements of the block's piece are kept? One thread stores the number.
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    bool yes = false;
    if (i < n)
        yes = keep(in[i]);
    const int number = __syncthreads_count(yes);
    if (threadIdx.x == 0)
        counts[blockIdx.x] = number;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_counts(const int *counts, int *starts, int blocks)
{
    // There is one block, and there may be more counts than it has threads. Let it scan 256 of them in each turn. What must
    // a turn know of those before it?
    __shared__ int cells[BLOCK];
    int before = 0;
    for (int first = 0; first < blocks; first += BLOCK) {
        const int b = first + threadIdx.x;
        const int number = b < blocks ? counts[b] : 0;
        const int sum = running_sum(number, cells);
        if (b < blocks)
            starts[b] = before + sum - number;
        before += cells[BLOCK - 1];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        starts[blocks] = before;
}

extern "C" __global__ void __launch_bounds__(BLOCK) compact(const int *in, const int *starts, int *out, int n)
{
    // Scan 1 for each element that is kept and 0 for each other one. What does a thread's sum say about its element's place?
    __shared__ int cells[BLOCK];
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    int value = 0;
    if (i < n)
        value = in[i];
    const int flag = keep(value);
    const int sum = running_sum(flag, cells);

    // Store the element, if it is one that is kept.
    if (flag)
        out[starts[blockIdx.x] + sum - 1] = value;
}
