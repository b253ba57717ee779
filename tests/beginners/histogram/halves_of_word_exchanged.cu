// cause: The two counters of a word are exchanged when they are read: odd values are in the upper half (line 29).
// first: wrong_value pair_exchanged
// says: With all elements of data equal to 5, it is result[4] that counts them, and with all equal to 200, it is result[201]: of two neighbouring values, each gets the count of the other.
// asks: Which line takes the one for the other?
#define ITEMS 4096
// two counters of 16 bits in one word: 4096 elements never overflow them
extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *result)
{
    result[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *result, int N)
{
    __shared__ unsigned pair[128];
    int t = threadIdx.x;
    if (t < 128) pair[t] = 0;
    __syncthreads();
    for (int j = 0; j < ITEMS; j += 256) {
        int idx = blockIdx.x * ITEMS + j + t;
        if (idx < N) {
            int val = data[idx];
            atomicAdd(&pair[val >> 1], (val & 1) ? 65536u : 1u);
        }
    }
    __syncthreads();
    unsigned word = pair[t >> 1];
    int count = (t & 1) ? word & 0xffff : word >> 16;
    if (count > 0) atomicAdd(&result[t], count);
}
