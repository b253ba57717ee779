// cause: adds one to the exponent field, also of zero, subnormal, infinite and NaN
// first: wrong_value special
// says: elements without a special input or result are all right.
// asks: What does the kernel make of such a number?
#define EXP_ONE (1u << 23)

extern "C" __global__ void doublify(float *a, int n)
{
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    if (gid < n) {
        unsigned u = __float_as_uint(a[gid]);
        u += EXP_ONE;
        a[gid] = __uint_as_float(u);
    }
}
