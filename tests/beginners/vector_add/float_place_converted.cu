// cause: the place is kept in a float, which has 24 bits, and converted to an int for the index
// first: never_written narrow
// says: The index is made of a float (line 7), which holds each whole number only up to 16777216.
// asks: Which type has the variable that cannot hold its number
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    float place = threadIdx.x + blockDim.x * blockIdx.x;
    int where = (int)(place);
    if (where < n)
        c[where] = a[where] + b[where];
}
