// cause: Line 10: __fadd_rz rounds towards zero instead of to nearest, so about half of the inexact sums are off in the last bit.
// first: near_miss
// says: this is the result rounded toward 0, not to the nearest float. Which operation rounds so?
// asks: Which operation rounds so?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        // intrinsics are faster than operators
        c[i] = __fadd_rz(a[i], b[i]);
    }
}
