// cause: Line 15 steps by PER (4) instead of by the 256 threads of the block, so several threads double the same elements in line 17 (race, n >= 16) and most of the block's 1024 elements are never written.
// first: race_warp update
// says: each thread reads it, changes it and writes it back, so a change can be lost
// asks: Which index does each of them compute?
#define PER 4
#define SPAN (256 * PER)

extern "C" __constant__ int doublify_items = SPAN;

extern "C" __global__ void doublify(float *a, int n)
{
    int first = blockIdx.x * SPAN + threadIdx.x;
#pragma unroll
    for (int k = 0; k < PER; ++k) {
        int i = first + k * PER;
        if (i < n)
            a[i] *= 2.0f;
    }
}
