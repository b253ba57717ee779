// cause: sums below a threshold are replaced by 0
// first: wrong_value small
// says: Every wrong element is 0
// asks: Which line makes a small number 0?
#define EPS 1e-3f

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    float s = a[i] + b[i];
    if (fabsf(s) < EPS)
        s = 0.0f;       // rounding noise
    c[i] = s;
}
