// cause: the helper gets the element by value and doubles its own copy only (line 5); nothing is stored in a
// first: never_written no_store
// says: No line of doublify stores into a
// asks: Where does the value that this line stores go when the function ends?
__device__ void twice(float x)
{
    x = x + x;
}

extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        twice(a[i]);
}
