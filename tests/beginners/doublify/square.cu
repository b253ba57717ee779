// cause: squares instead of doubling
// first: wrong_value squared
// says: Every wrong element is the square of what it was.
// asks: By what is an element to be multiplied?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = a[i] * a[i];
}
