// cause: doubles by adding 1 to the exponent field (line 11), which is wrong for zeros, subnormal numbers, the largest floats, infinities and NaN
// first: wrong_value special
// says: In line 10, __float_as_int takes the bits of a float for a whole number
// asks: What does the kernel make of such a number?
/* A float is sign, 8 bits of exponent, 23 bits of mantissa. Doubling = exponent + 1. */
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int code = __float_as_int(a[i]);
        code += 1 << 23;
        a[i] = __int_as_float(code);
    }
}
