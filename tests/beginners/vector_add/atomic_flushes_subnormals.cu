// cause: an atomic addition to global memory takes subnormal numbers for 0
// first: wrong_value special
// says: elements without a special input or result are all right.
// asks: What does the kernel make of such a number?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i];
        atomicAdd(&c[i], b[i]);
    }
}
