// cause: Only elements above zero are doubled; the negative ones stay
// first: never_written left
// says: These are the elements that were below 0.
// asks: Which condition makes the thread in the message leave, and should it?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && a[i] > 0)
        a[i] *= 2;
}
