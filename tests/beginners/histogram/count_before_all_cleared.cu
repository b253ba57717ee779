// cause: No barrier between clearing and counting, so a bin may be cleared after another thread has counted in it (line 19).
// first: race_mixed
// says: no barrier between them
// asks: A plain access meets an atomic one. Which phase is each of them in?
#define BINS 256
#define CHUNK 4096

extern "C" __constant__ int histogram_items = CHUNK;

extern "C" __global__ void clear_bins(int *out)
{
    out[threadIdx.x] = 0;
}

// four elements at once, the rest one by one
extern "C" __global__ void histogram(const int *values, int *out, int n)
{
    __shared__ int h[BINS];
    h[threadIdx.x] = 0;
    int base = blockIdx.x * CHUNK;
    for (int j = 4 * threadIdx.x; j < CHUNK; j += 4 * 256) {
        int i = base + j;
        if (i + 3 < n) {
            int4 v = *(const int4 *)&values[i];
            atomicAdd(&h[v.x], 1);
            atomicAdd(&h[v.y], 1);
            atomicAdd(&h[v.z], 1);
            atomicAdd(&h[v.w], 1);
        } else {
            for (; i < n; i++)
                atomicAdd(&h[values[i]], 1);
        }
    }
    __syncthreads();
    atomicAdd(&out[threadIdx.x], h[threadIdx.x]);
}
