// cause: the value is stored as an int
// first: wrong_value other
// says: Everything after the decimal point is lost.
// asks: Where does a float pass through an int?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int x = a[i];
        a[i] = 2 * x;
    }
}
