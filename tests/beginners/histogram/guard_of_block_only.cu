// cause: The load and count have no guard i < n, so the last block reads beyond the end of data (line 22).
// first: out_of_bounds guarded
// says: read values[1], but values has 1 element (0..0)
// asks: A condition precedes this access, and it let this thread through. Does it ask about the very index that is used, and about the length of values?
#define PER_BLOCK 4096
// two counters of 16 bits in one word: 4096 elements never overflow them
extern "C" __constant__ int histogram_items = PER_BLOCK;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *values, int *bins, int n)
{
    __shared__ unsigned pair[128];
    int t = threadIdx.x;
    if (t < 128) pair[t] = 0;
    __syncthreads();
    for (int k = 0; k < PER_BLOCK; k += 256) {
        int i = blockIdx.x * PER_BLOCK + k + t;
        if (k + t < PER_BLOCK) {
            int val = values[i];
            atomicAdd(&pair[val >> 1], (val & 1) ? 65536u : 1u);
        }
    }
    __syncthreads();
    unsigned word = pair[t >> 1];
    int count = (t & 1) ? word >> 16 : word & 0xffff;
    if (count > 0) atomicAdd(&bins[t], count);
}
