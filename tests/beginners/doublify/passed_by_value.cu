// cause: doubles the copy that a function got, and stores nothing
// first: never_written no_store
// says: No line of doublify stores into a.
// asks: Line 7 first: Where does the value that this line stores go when the function ends?
__device__ void make_double(float x)
{
    x = 2.0f * x;
}

extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        make_double(a[i]);
    }
}
