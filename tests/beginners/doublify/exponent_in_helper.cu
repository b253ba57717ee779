// cause: bits += 1 << 23; adds one to the exponent field, which is wrong for 0, -0 and subnormal numbers (no such exponent) and turns infinity and NaN into other numbers
// first: wrong_value special
// says: an input or the right result is special: NaN, infinite, subnormal, 0 or near the largest float.
// asks: What does the kernel make of such a number?
__device__ float times_two(float x)
{
    // IEEE 754: the exponent starts at bit 23
    int bits = __float_as_int(x);
    bits += 1 << 23;
    return __int_as_float(bits);
}

extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = times_two(a[i]);
}
