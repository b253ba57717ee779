// cause: stores the copy before it is doubled: the compiler drops the store
// first: never_written dropped
// says: Line 10 stores into a, but the compiler has dropped that store
// asks: What does line 10 store, and what was in the element before?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = a[i];
        a[i] = x;
        x = 2 * x;
    }
}
