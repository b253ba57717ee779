// cause: The macro in line 5 has no parentheses, so line 11 computes a * 1 + 1: the value plus one instead of twice the value.
// first: wrong_value scaled
// says: a[0] contains a[0], where it should contain 2 x a[0]. When all inputs are 0, a[0] is 1.
// asks: What does this line say once the name is replaced
#define FACTOR 1 + 1

extern "C" __global__ void doublify(float *a, int n)
{
    int myElement = blockIdx.x * blockDim.x + threadIdx.x;
    if (myElement < n)
        a[myElement] = a[myElement] * FACTOR;
}
