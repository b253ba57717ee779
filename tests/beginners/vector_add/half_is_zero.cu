// cause: 1 / 2 is 0 in whole numbers, and takes the sum away
// first: wrong_value unused
// says: With other numbers in a and b, c[0] stays what it is. Every wrong element is 0, with other inputs as well.
// asks: What becomes of the numbers that are read: does a factor of 0 take them away, do they cancel out, or are they left out?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float half = 1 / 2;
    if (i < n)
        c[i] = (a[i] + b[i]) * half * 2;
}
