// cause: All four quarters of the block add the same sum, so everything is counted four times (line 27).
// first: wrong_value each
// says: Each element is counted 4 times. in[0] is read once, at line 24 by thread (0,0,0) of block (0,0,0).
// asks: By which ways does one element reach its bin, and how often?
#define PER_BLOCK 8192
#define NT 1024

extern "C" __constant__ int histogram_items = PER_BLOCK;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void __launch_bounds__(NT) histogram(const int *in, int *bins, int n)
{
    __shared__ int hist[4][256];
    int me = threadIdx.x;
    int quarter = me / 256, bin = me % 256;
    hist[quarter][bin] = 0;
    __syncthreads();
    for (int j = PER_BLOCK - NT + me; j >= 0; j -= NT) {
        int i = blockIdx.x * PER_BLOCK + j;
        if (i < n) atomicAdd(&hist[quarter][in[i]], 1);
    }
    __syncthreads();
    if (quarter < 4)
        atomicAdd(&bins[bin], hist[0][bin] + hist[1][bin] + hist[2][bin] + hist[3][bin]);
}
