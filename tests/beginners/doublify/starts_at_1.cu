// cause: element 0 is left out
// first: never_written left
// says: Line 9 stores a[1..15]. The last line that thread (0,0,0) ran, whose element would be a[0], is line 8.
// asks: Which condition makes the thread in the message leave, and should it?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n)
        a[i] = 2 * a[i];
}
