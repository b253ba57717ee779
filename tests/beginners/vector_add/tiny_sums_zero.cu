// cause: Line 11 replaces every sum smaller than 0.00001 by 0, but small sums are right results (cancelling numbers in n = 1009, small and subnormal numbers in n = 1025 and 1500).
// first: wrong_value small
// says: no right value of this test is farther from 0 than
// asks: Which line makes a small number 0?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const float eps = 1e-5f;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = a[i] + b[i];
        if (fabsf(sum) < eps)   // rounding noise
            sum = 0.0f;
        c[i] = sum;
    }
}
