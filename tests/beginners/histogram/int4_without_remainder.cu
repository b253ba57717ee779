// cause: The rest of less than four elements at the end of data is never counted (line 30).
// first: wrong_value not_counted
// says: In it, line 24 asks: if (idx + 3 < N).
// asks: Which thread counts in[252]?
#define BINS 256
#define CHUNK 4096

extern "C" __constant__ int histogram_items = CHUNK;

extern "C" __global__ void clear_bins(int *result)
{
    result[threadIdx.x] = 0;
}

// four elements at once, the rest one by one
extern "C" __global__ void histogram(const int *in, int *result, int N)
{
    __shared__ int sh[BINS];
    sh[threadIdx.x] = 0;
    __syncthreads();
    int base = blockIdx.x * CHUNK;
    for (int k = 4 * threadIdx.x; k < CHUNK; k += 4 * 256) {
        int idx = base + k;
        if (idx + 3 < N) {
            int4 val = *(const int4 *)&in[idx];
            atomicAdd(&sh[val.x], 1);
            atomicAdd(&sh[val.y], 1);
            atomicAdd(&sh[val.z], 1);
            atomicAdd(&sh[val.w], 1);
        }
    }
    __syncthreads();
    atomicAdd(&result[threadIdx.x], sh[threadIdx.x]);
}
