// cause: the guard leaves out the last 24 elements
// first: never_written left
// says: Line 9 stores c[0..6]. The last line that thread (7,0,0) ran, whose element would be c[7], is line 8.
// asks: Which condition makes the thread in the message leave, and should it?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 24)
        c[i] = a[i] + b[i];
}
