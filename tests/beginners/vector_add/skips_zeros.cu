// cause: returns where b is 0
// first: never_written left
// says: elements of c, the first of them c[
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
