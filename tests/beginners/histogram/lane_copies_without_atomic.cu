// cause: `counts[lane][data[i]]++;`: each lane number has its own bins, but all eight warps of the block have a lane with that number, so eight threads change the same cell without an atomic operation: race, lost updates.
// first: race_shared update
// says: each thread reads it, changes it and writes it back, so a change can be lost
// asks: Two threads change the same place in counts. What happens when both read it before either writes?
/* Lab 06: 32 copies of the bins, one for each lane, so that lanes never meet */
#define BINS 256
#define ITEMS 8192
#define LANES 32

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[LANES][BINS];
    const int lane = threadIdx.x % LANES;

    for (int c = 0; c < LANES; ++c)
        counts[c][threadIdx.x] = 0;
    __syncthreads();

    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        const int i = blockIdx.x * ITEMS + k;
        if (i < n)
            counts[lane][data[i]]++;
    }
    __syncthreads();

    int sum = 0;
    for (int c = 0; c < LANES; ++c)
        sum += counts[c][threadIdx.x];
    atomicAdd(&bins[threadIdx.x], sum);
}
