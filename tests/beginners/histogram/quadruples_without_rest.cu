// cause: Line 22: n / 4 is rounded down, so the last n % 4 elements are not counted by anybody.
// first: wrong_value not_counted
// says: The counts are exactly those of data[0..251]: the last 3 elements were not counted
// asks: Which thread counts data[252]?
#define BINS 256

extern "C" __constant__ int histogram_items = 8192;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int s[BINS];
    s[threadIdx.x] = 0;
    __syncthreads();

    // four values with one load
    const int4 *d4 = (const int4 *)data;
    int n4 = n / 4;
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = gid; i < n4; i += gridDim.x * blockDim.x) {
        int4 q = d4[i];
        atomicAdd(&s[q.x], 1);
        atomicAdd(&s[q.y], 1);
        atomicAdd(&s[q.z], 1);
        atomicAdd(&s[q.w], 1);
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}
