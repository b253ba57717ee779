// cause: Only 255 shared bins are declared and 255 cleared and added, while values go up to 255 (line 16).
// first: out_of_bounds shared
// says: atomic on s[255], but s has 255 elements (0..254)
// asks: How many elements does s have, and from which parts is this index made?
#define PER_BLOCK 2048
// grid-stride loop: works for any number of blocks
extern "C" __constant__ int histogram_items = PER_BLOCK;

extern "C" __global__ void clear_bins(int *result)
{
    result[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *in, int *result, int N)
{
    __shared__ int s[255];
    for (int bin = threadIdx.x; bin < 255; bin += blockDim.x)
        s[bin] = 0;
    __syncthreads();
    int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += step)
        atomicAdd(s + in[i], 1);
    __syncthreads();
    for (int bin = threadIdx.x; bin < 255; bin += blockDim.x)
        if (s[bin] != 0)
            atomicAdd(result + bin, s[bin]);
}
