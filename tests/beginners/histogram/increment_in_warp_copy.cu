// cause: Line 29: ++ is not atomic; the 32 lanes of a warp share the warp's bins and lose updates when several of them have the same value.
// first: race_warp update
// says: each thread reads it, changes it and writes it back, so a change can be lost
// asks: Two threads change the same place in counts. What happens when both read it before either writes?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

// One histogram per warp, so the warps don't get in each other's way
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[8][BINS];
    int tid = threadIdx.x;
    int w = tid >> 5;

    for (int i = tid; i < 8 * BINS; i += 256)
        counts[i / BINS][i % BINS] = 0;
    __syncthreads();

    int start = blockIdx.x * ITEMS;
    for (int i = start + tid; i < start + ITEMS && i < n; i += 256) {
        int v = data[i];
        counts[w][v]++;
    }
    __syncthreads();

    int s = 0;
    for (int k = 0; k < 8; k++)
        s += counts[k][tid];
    if (s != 0)
        atomicAdd(&bins[tid], s);
}
