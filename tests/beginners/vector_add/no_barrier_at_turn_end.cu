// cause: there is no second barrier at the end of a turn of the loop (after line 22): a fast warp overwrites cells that others still have to read
// first: race_shared turns
// says: line 19 belongs to one turn of the loop in line 15, line 22 to another, and no barrier separates the turns
// asks: What makes every thread finish a turn before any thread begins the next one?
#define BLOCK 256
#define ITEMS (4 * BLOCK)
extern "C" __constant__ int vector_add_items = ITEMS;

extern "C" __global__ void __launch_bounds__(BLOCK) vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float tile[BLOCK];
    int t = threadIdx.x;
    int begin = blockIdx.x * ITEMS;

    for (int base = begin; base < begin + ITEMS; base += BLOCK) {
        int in = base + t;
        int out = base + BLOCK - 1 - t;
        if (in < n)
            tile[t] = a[in];
        __syncthreads();
        if (out < n)
            c[out] = tile[BLOCK - 1 - t] + b[out];
    }
}
