// cause: clamps to a largest value, which takes infinity and NaN away
// first: wrong_value special
// says: elements without a special input or result are all right.
// asks: What does the kernel make of such a number?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = fminf(2.0f * a[i], 3.4e38f);
}
