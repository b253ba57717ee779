/* histogram with wider loads and more work per block.
 *
 * A thread loads four neighbouring elements at once, and the loop keeps several such loads in flight. A block counts
 * 32768 elements, so that clearing its bins and adding them to the grid's, 256 operations each, hardly shows.
 */

#define BINS 256
#define BLOCK 512
#define ITEMS 32768

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void __launch_bounds__(BLOCK) histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    for (int bin = threadIdx.x; bin < BINS; bin += BLOCK) {
        counts[bin] = 0;
    }
    __syncthreads();    // all bins are zero before any thread counts

    int first = blockIdx.x * ITEMS;
    if (n - first >= ITEMS) {
#pragma unroll 4
        for (int k = 4 * threadIdx.x; k < ITEMS; k += 4 * BLOCK) {
            int4 v = *(const int4 *)&data[first + k];
            atomicAdd(&counts[v.x], 1);
            atomicAdd(&counts[v.y], 1);
            atomicAdd(&counts[v.z], 1);
            atomicAdd(&counts[v.w], 1);
        }
    } else {    // the last block
        for (int i = first + threadIdx.x; i < n; i += BLOCK) {
            atomicAdd(&counts[data[i]], 1);
        }
    }
    __syncthreads();    // all threads have counted

    for (int bin = threadIdx.x; bin < BINS; bin += BLOCK) {
        if (counts[bin] > 0) {
            atomicAdd(&bins[bin], counts[bin]);
        }
    }
}
