// cause: returns where b is 0
// first: never_written left
// says: In block (0,0,0), line 12 stores some elements from c[0] to c[255]. The last line that thread (8,0,0) ran,
// asks: Which condition makes the thread in the message leave, and should it?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (b[i] == 0.0f)   // nothing to add
        return;
    c[i] = a[i] + b[i];
}
