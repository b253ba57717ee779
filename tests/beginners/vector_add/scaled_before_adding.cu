// cause: c[i] = (a[i] * SCALE + b[i] * SCALE) / SCALE; scales by 1/1024 first: subnormal and other tiny numbers lose up to ten bits there and the sum is wrong
// first: wrong_value special
// says: an input or the right result is special: subnormal or 0.
// asks: What does the kernel make of such a number?
// scale down before the addition so that large numbers cannot overflow.
// A power of two costs no accuracy.
#define SCALE (1.0f / 1024.0f)

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;
    if (i < n)
        c[i] = (a[i] * SCALE + b[i] * SCALE) / SCALE;
}
