// cause: if (threadIdx.x == 0) base += 256; at the end of the loop body has no barrier after it, so other threads read base in the next round before or after it moved: a race in shared memory
// first: race_shared turns
// says: line 18 belongs to one turn of the loop in line 13, line 14 to another, and no barrier separates the turns.
// asks: What makes every thread finish a turn before any thread begins the next one?
extern "C" __constant__ int doublify_items = 1024;

extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ int base;
    if (threadIdx.x == 0) base = blockIdx.x * 1024;
    __syncthreads();

    for (int round = 0; round < 4; ++round) {
        int i = base + threadIdx.x;
        if (i < n)
            a[i] *= 2.0f;
        __syncthreads();
        if (threadIdx.x == 0) base += 256;
    }
}
