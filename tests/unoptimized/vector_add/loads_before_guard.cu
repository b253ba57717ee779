// cause: loads before the guard; the compiler moves them behind it
// line: 7
// says: read a[1], but a has 1 element
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float left  = a[i];
    float right = b[i];
    float sum   = left + right;
    // only write inside the array
    if (i < n)
        c[i] = sum;
}
