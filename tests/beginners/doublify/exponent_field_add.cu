// cause: Line 13 adds 1 to the exponent field of every number but 0, which is wrong for subnormal numbers (they get a normal exponent), for infinity and NaN (they overflow into the sign) and for the largest floats (they become NaN) in n = 1009.
// first: wrong_value special
// says: is special: NaN, infinite, subnormal or near the largest float.
// asks: What does the kernel make of such a number?
// times two = exponent plus one, no multiplication needed
extern "C" __global__ void doublify(float *a, int n)
{
    unsigned int *bits = (unsigned int *)a;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned int w = bits[i];
        if ((w & 0x7fffffffu) != 0)     // 0 stays 0
            bits[i] = w + 0x00800000u;
    }
}
