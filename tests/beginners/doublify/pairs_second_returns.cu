// cause: one condition about the second element decides about both, so the last element of an odd number is left out
// first: never_written left
// says: The last line that thread (15,0,0) ran, whose element would be a[30], is line 8.
// asks: Which condition makes the thread in the message leave
extern "C" __global__ void doublify(float *a, int n)
{
    int first = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (first + 1 >= n) return;
    a[first] = 2 * a[first];
    a[first + 1] = 2 * a[first + 1];
}
