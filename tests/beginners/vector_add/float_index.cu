// cause: the index is a float: above 2^24 it cannot count by one
// first: never_written narrow
// says: Thread (1,0,0) of it stores c[16777216]. The index is a float (line 7), which holds each whole number only up to 16777216.
// asks: Which type has the variable that cannot hold its number
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    float i = (float)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[(int)i] = a[(int)i] + b[(int)i];
}
