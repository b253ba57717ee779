// cause: divides by 0.4999
// first: wrong_value ratio
// says: Every wrong element is 1.0002 times what it should be.
// asks: Which operation multiplies or divides by that?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = a[i] / 0.4999f;
}
