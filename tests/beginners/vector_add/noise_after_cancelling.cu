// cause: if (fabsf(sum) < 1e-5f * fabsf(u)) sum = 0.0f; takes a small difference for rounding noise; with cancelling inputs the right sums of about a millionth of a[i] become 0
// first: wrong_value small
// says: Every wrong element is 0, and no right value of this test is farther from 0 than
// asks: Which line makes a small number 0?
__device__ float add_clean(float u, float v)
{
    float sum = u + v;
    // what is left after cancelling is only noise
    if (fabsf(sum) < 1e-5f * fabsf(u)) sum = 0.0f;
    return sum;
}

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    c[i] = add_clean(a[i], b[i]);
}
