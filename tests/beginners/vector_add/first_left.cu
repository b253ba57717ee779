// cause: element 0 is left out
// first: never_written left
// says: Line 9 stores c[1..30]. The last line that thread (0,0,0) ran, whose element would be c[0], is line 8.
// asks: Which condition makes the thread in the message leave, and should it?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n)
        c[i] = a[i] + b[i];
}
