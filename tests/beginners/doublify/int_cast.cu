// cause: the value is stored as an int
// first: wrong_value typed
// says: Every wrong element is twice what it was, with the fraction cut off first.
// asks: Which line cuts it off?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int x = a[i];
        a[i] = 2 * x;
    }
}
