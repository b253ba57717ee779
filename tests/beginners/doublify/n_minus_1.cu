// cause: the guard is one too strict: the last element is left
// first: never_written left
// says: Line 9 stores a[0..14]. The last line that thread (15,0,0) ran, whose element would be a[15], is line 8.
// asks: Which condition makes the thread in the message leave, and should it?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1)
        a[i] = 2 * a[i];
}
