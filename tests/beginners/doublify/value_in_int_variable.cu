// cause: Line 11 puts the float into an int, so the fraction is cut off before the doubling (and inf, NaN and large values are lost).
// first: wrong_value typed
// says: Every wrong element is twice what it was, with the fraction cut off first.
// asks: Which line cuts it off?
extern "C" __global__ void doublify(float *a, int n)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    int value;
    if (tid < n)
    {
        value = a[tid];
        value = value * 2;
        a[tid] = value;
    }
}
