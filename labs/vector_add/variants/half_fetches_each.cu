// expect: pass - 512 threads for 256 elements: each half of the block fetches one input
/* 512 threads for 256 elements: the lower half fetches a, the upper half fetches b */
#define HALF 256
extern "C" __constant__ int vector_add_items = HALF;

extern "C" __global__ void __launch_bounds__(2 * HALF) vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float fetched[2 * HALF];
    int k = threadIdx.x & (HALF - 1);
    int i = blockIdx.x * HALF + k;

    if (i < n)
        fetched[threadIdx.x] = threadIdx.x < HALF ? a[i] : b[i];
    __syncthreads();

    if (threadIdx.x >= HALF) return;
    if (i < n)
        c[i] = fetched[k] + fetched[k + HALF];
}
