// cause: Line 9: int declares a second i that ends with its braces; the outer i stays threadIdx.x, so all blocks compute elements 0 to 255 and the rest of c is never written (n > 256).
// first: never_written overlap
// says: In block (1,0,0), line 13 stores c[0..255]. Thread (0,0,0) of it stores c[0].
// asks: Line 9 first: Does this line set the variable that was declared before, or does it declare a second one of the same name?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = threadIdx.x;
    if (blockIdx.x > 0) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;   // the later blocks begin further on
    }

    if (i < n)
        c[i] = a[i] + b[i];
}
