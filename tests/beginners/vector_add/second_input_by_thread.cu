// cause: Line 10 reads b at threadIdx.x instead of gid, so from the second block on (n >= 257) the wrong elements of b are added.
// first: wrong_value moved
// says: c[256] is made of b[0], and should be made of b[256].
// asks: Which line reads b for c[256]
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    if (gid < n)
    {
        c[gid] = a[gid] + b[threadIdx.x];
    }
}
