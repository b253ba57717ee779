// cause: Line 11 tests only the second element of the pair, so for odd n the last element (a[n - 1]) is never written (n = 1, 31, 33, ...).
// first: never_written left
// says: The last line that thread (15,0,0) ran, whose element would be a[30], is line 11.
// asks: Which condition makes the thread in the message leave
/* every thread takes a pair */
extern "C" __global__ void doublify(float *a, int n)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    int even = 2 * p;
    int odd  = 2 * p + 1;
    if (odd < n) {
        a[even] *= 2;
        a[odd]  *= 2;
    }
}
