// cause: The helper in line 5 takes the float by value and changes only its own copy, so the call in line 14 stores nothing: no element is ever written.
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
    if (i < n)
        make_double(a[i]);
}
