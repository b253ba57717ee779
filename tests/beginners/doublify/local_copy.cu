// cause: a copy is doubled, nothing is stored
// first: never_written no_store
// says: No line of doublify stores into a.
// asks: On which line of doublify does an element of a get its new value?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = a[i];
        x = x * 2;
    }
}
