// cause: Line 7 keeps the index in a float, which cannot hold odd numbers above 2^24: with n = 2^24 + 11 the elements at 2^24 + 1, + 3, + 5, + 7 and + 9 are never written.
// first: never_written narrow
// says: The index is made of a float (line 7), which holds each whole number only up to 16777216.
// asks: Which type has the variable that cannot hold its number
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    float pos = blockIdx.x * blockDim.x + threadIdx.x;
    if (pos < n) {
        int p = (int)pos;
        c[p] = a[p] + b[p];
    }
}
