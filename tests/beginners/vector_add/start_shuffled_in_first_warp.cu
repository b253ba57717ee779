// cause: Line 9: only thread 0 of the block sets base, but the shuffle in line 11 reaches only its own warp; the other warps get the 0 of their own lane 0, so in the blocks after the first they recompute elements 32 to 255, and theirs are never written (n > 288).
// first: never_written overlap
// says: In block (1,0,0), line 15 stores c[32..287]. Thread (32,0,0) of it stores c[32].
// asks: What is the index of line 15 made of, and which value has each part in the thread of the message?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    // one thread computes where the block begins and tells the others
    int base = 0;
    if (threadIdx.x == 0)
        base = blockIdx.x * blockDim.x;
    base = __shfl_sync(0xffffffff, base, 0);

    int i = base + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
