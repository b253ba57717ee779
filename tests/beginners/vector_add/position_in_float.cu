// cause: the index is a float (line 7), which holds whole numbers exactly only up to 2^24: beyond it the odd elements of the largest case have no thread
// first: never_written narrow
// says: The index is made of a float (line 7), which holds each whole number only up to 16777216
// asks: Which type has the variable that cannot hold its number, and what is the largest number in that type?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    float pos = blockIdx.x * blockDim.x + threadIdx.x;
    if (pos < n) {
        int i = (int)pos;
        c[i] = a[i] + b[i];
    }
}
