// cause: Line 5 declares the arrays as double, but the lab passes arrays of float (wrong signature).
// first: signature
// says: The first parameter of vector_add is double *a, but it must be float *.
// asks:
extern "C" __global__ void vector_add(const double *a, const double *b, double *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
