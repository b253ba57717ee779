// cause: stores the second input over the first, where it should add
// first: wrong_value unused
// says: Every wrong element of z is exactly the element of y in the same place. z[0] is stored 2 times by thread (0,0,0) of block (0,0,0), first at line 9, last at line 10. With other numbers in x, the wrong elements stay what they are.
// asks: What becomes of it until z[0] is stored?
extern "C" __global__ void vector_add(const float *x, const float *y, float *z, int len)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g < len) {
        z[g] = x[g];
        z[g] = y[g];
    }
}
