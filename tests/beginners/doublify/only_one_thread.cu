// cause: one thread of each block works
// first: never_written left
// says: Line 9 stores a[0], and nothing else. The last line that thread (1,0,0) ran, whose element would be a[1], is
// asks: Which condition makes the thread in the message leave, and should it?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0 && i < n)
        a[i] = 2 * a[i];
}
