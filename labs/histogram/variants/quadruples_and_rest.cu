// expect: pass - four elements with each load in a grid-stride loop, the rest by block 0
#define NBINS 256

extern "C" __constant__ int histogram_items = 16384;

extern "C" __global__ void clear_bins(int *bins)
{
    if (threadIdx.x < NBINS) bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ unsigned int sh[NBINS];
    const int t = threadIdx.x;
    sh[t] = 0u;
    __syncthreads();

    const int4 *quads = reinterpret_cast<const int4 *>(data);
    const int nq = n / 4;

    for (int q = blockIdx.x * blockDim.x + t; q < nq; q += gridDim.x * blockDim.x) {
        const int4 v = quads[q];
        atomicAdd(&sh[v.x], 1u);
        atomicAdd(&sh[v.y], 1u);
        atomicAdd(&sh[v.z], 1u);
        atomicAdd(&sh[v.w], 1u);
    }

    // the rest, at most 3
    if (blockIdx.x == 0 && t < n % 4)
        atomicAdd(&sh[data[nq * 4 + t]], 1u);

    __syncthreads();
    atomicAdd(&bins[t], (int)sh[t]);
}
