// cause: divides by 1 / 2, which is 0 for ints
// first: wrong_value other
// says: Every wrong element is infinite, and should be a finite number.
// asks: of which type are the numbers that it is made of?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = a[i] / (1 / 2);
}
