// cause: wide[i] *= 2.0; takes two neighbouring floats for one double and adds one to the exponent of that double, which changes mantissa bits of the second float and doubles neither
// first: wrong_value other
// says: a[0] is stored at line 11, by thread (0,0,0) of block (0,0,0).
// asks: How many bytes has one element behind the pointer
// 8 bytes per access are faster than 4
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double *wide = (double *)a;
    if (i < n / 2)
        wide[i] *= 2.0;
    if (i == 0 && n % 2 != 0)
        a[n - 1] *= 2.0f;
}
