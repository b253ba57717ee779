// cause: Only the value of v.x is counted as a fourfold, v.y, v.z and v.w are not looked at (line 26).
// first: wrong_value amount
// says: data[0] is counted 4 times; 28 elements in all are not counted exactly once.
// asks: What is added to a bin for data[0], and how often?
#define BINS 256
#define CHUNK 4096

extern "C" __constant__ int histogram_items = CHUNK;

extern "C" __global__ void clear_bins(int *out)
{
    out[threadIdx.x] = 0;
}

// four elements at once, the rest one by one
extern "C" __global__ void histogram(const int *data, int *out, int n)
{
    __shared__ int h[BINS];
    h[threadIdx.x] = 0;
    __syncthreads();
    int base = blockIdx.x * CHUNK;
    for (int k = 4 * threadIdx.x; k < CHUNK; k += 4 * 256) {
        int i = base + k;
        if (i + 3 < n) {
            int4 v = *(const int4 *)&data[i];
            atomicAdd(&h[v.x], 4);
        } else {
            for (; i < n; i++)
                atomicAdd(&h[data[i]], 1);
        }
    }
    __syncthreads();
    atomicAdd(&out[threadIdx.x], h[threadIdx.x]);
}
