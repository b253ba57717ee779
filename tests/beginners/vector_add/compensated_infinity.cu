// cause: Line 14: where s is infinite (an infinite input, or an overflow) the compensation computes infinity - infinity, so err and the result become NaN instead of infinity (test n = 1500).
// first: wrong_value special
// says: Each wrong one has become NaN, without a NaN among its inputs: infinity - infinity is NaN, and so is 0 x infinity. Does a line compute one of these?
// asks: Does a line compute one of these?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    // with error compensation, because of the cancellation
    float x = a[i], y = b[i];
    float s  = x + y;
    float yy = s - x;
    float err = (x - (s - yy)) + (y - yy);
    c[i] = s + err;
}
