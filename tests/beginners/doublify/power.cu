// cause: 2 to the power instead of times 2 (^ means xor for ints; here a shift of an int)
// first: wrong_value typed
// says: Every wrong element is twice what it was, with the fraction cut off first.
// asks: Which line cuts it off?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = (int)a[i] << 1;
}
