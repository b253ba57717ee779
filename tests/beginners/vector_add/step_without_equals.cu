// cause: Line 11 computes i + stride but does not store it, so i never changes and the loop never ends.
// first: fuel unchanged
// says: nothing in it changes i
// asks: Which place should change in this line
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = blockDim.x * gridDim.x;
    while (i < n) {
        c[i] = a[i] + b[i];
        i + stride;
    }
}
