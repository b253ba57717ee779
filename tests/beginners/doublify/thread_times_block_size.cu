// cause: Line 7 exchanges blockIdx.x and threadIdx.x (blockDim.x * threadIdx.x + blockIdx.x), so threads are 256 elements apart and most elements are never doubled (n = 16: only a[0]).
// first: never_written elsewhere
// says: From one thread to the next, the index of line 10 grows by 256.
// asks: Which elements should line 10 store
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockDim.x * threadIdx.x + blockIdx.x;
    if (i < n)
    {
        a[i] = a[i] * 2.0f;
    }
}
