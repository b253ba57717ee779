// cause: The bins in shared memory are counted with ++, which is not atomic, so updates are lost (line 24).
// first: race_warp update
// says: each thread reads it, changes it and writes it back, so a change can be lost
// asks: Two threads change the same place in my_bins. What happens when both read it before either writes?
#define BINS 256
#define PER_BLOCK 4096

extern "C" __constant__ int histogram_items = PER_BLOCK;

extern "C" __global__ void clear_bins(int *result)
{
    result[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *in, int *result, int count_n)
{
    __shared__ int my_bins[BINS];
    int me = threadIdx.x;
    my_bins[me] = 0;
    __syncthreads();
    for (int k = me; k < PER_BLOCK; k += blockDim.x) {
        int g = blockIdx.x * PER_BLOCK + k;
        if (g < count_n)
            my_bins[in[g]]++;
    }
    __syncthreads();
    atomicAdd(&result[me], my_bins[me]);
}
