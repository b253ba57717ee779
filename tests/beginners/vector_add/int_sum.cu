// cause: the sum is stored in an int
// first: wrong_value typed
// says: Every wrong element is the right one, without its fraction.
// asks: Which line makes a whole number of it?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int sum = a[i] + b[i];
        c[i] = sum;
    }
}
