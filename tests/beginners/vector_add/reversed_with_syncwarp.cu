// cause: Line 13: __syncwarp() waits for the thread's own warp only, but line 18 reads sum[r], which thread r = 255 - t of another warp writes in line 12 (race in shared memory).
// first: race_shared
// says: line 13 has a `__syncwarp()`, which waits for one warp, and these two threads are in two.
// asks: What must every thread of the block have finished before any of them goes on to line 18?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float sum[256];
    int t = threadIdx.x;
    int first = blockIdx.x * blockDim.x;

    if (first + t < n)
        sum[t] = a[first + t] + b[first + t];
    __syncwarp();

    // write back from the other end
    int r = blockDim.x - 1 - t;
    if (first + r < n)
        c[first + r] = sum[r];
}
