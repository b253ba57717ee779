// cause: 2 to the power instead of times 2 (^ means xor for ints; here a shift of an int)
// first: wrong_value other
// says: Everything after the decimal point is lost.
// asks: Where does a float pass through an int?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = (int)a[i] << 1;
}
