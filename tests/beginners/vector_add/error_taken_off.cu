// cause: float err = (s - x) - y; is taken off the rounded sum, which may round it another way, and is NaN where the sum is infinite
// first: near_miss
// says: Close, but not the rounded result
// asks: Which step loses digits?
// with compensation as in Kahan's sum, so that the rounding error is removed
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = a[i], y = b[i];
        float s = x + y;
        float err = (s - x) - y;
        c[i] = s - err;
    }
}
