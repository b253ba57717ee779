// cause: Line 11 adds to c[idx], which holds rubbish before the launch (never initialised).
// first: uninitialized atomic
// says: an atomic changes c[0], which has no initial value: it was never set to zero
// asks: Which line sets c to its first value?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int idx = threadIdx.x + blockIdx.x * blockDim.x;
    if (idx < n)
    {
        // no races with atomics
        atomicAdd(&c[idx], a[idx]);
        atomicAdd(&c[idx], b[idx]);
    }
}
