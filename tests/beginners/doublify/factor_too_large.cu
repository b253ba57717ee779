// cause: the factor is so large that everything overflows
// first: wrong_value other
// says: Every wrong element is infinite, and should be a finite number.
// asks: By what is a number divided, or with what multiplied, so that no finite number is left?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = a[i] * 3e38f;
}
