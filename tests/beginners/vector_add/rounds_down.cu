// cause: __fadd_rd rounds down, not to nearest (line 9), so about half of the sums are one unit too small
// first: near_miss
// says: In line 9, __fadd_rd rounds down, and not to the nearest number
// asks: Which step loses digits?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = __fadd_rd(a[i], b[i]);      // rounded addition
    }
}
