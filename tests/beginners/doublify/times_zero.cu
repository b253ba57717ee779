// cause: multiplies by 0
// first: wrong_value unused
// says: With other numbers in a, the wrong elements stay what they are. Every wrong element is 0, with other inputs as well.
// asks: What becomes of the numbers that are read: does a factor of 0 take them away, do they cancel out, or are they left out?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = a[i] * 0;
}
