// expect: wrong_value - the value passes through an int and loses its fraction
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int value = a[i];
        a[i] = 2 * value;
    }
}
