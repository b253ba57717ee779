// cause: = for == in the guard: every thread returns
// first: never_written not_reached
// says: Line 10 stores into a, but no thread came to it. The last line that they ran is line 8.
// asks: Is something stored here, or are two values compared?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i = n)
        return;
    a[i] = 2.0f * a[i];
}
