// cause: doubles a local array that was never filled
// first: uninitialized variable
// says: b is used here, but nothing has been stored in it before.
// asks: Which variable is used on this line before it got a value?
extern "C" __global__ void doublify(float *a, int n)
{
    float b[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2 * b[threadIdx.x];
}
