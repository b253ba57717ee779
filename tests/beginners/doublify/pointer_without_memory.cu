// cause: p is never set, so there is nothing where it points
// first: null_pointer unset
// says: p is a pointer (line 8) that is never set, so it points to nothing: the compiler put a trap where it is used
// asks: What does p point to, and which line says so?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float *p;
    if (i < n) { *p = 2 * a[i]; a[i] = *p; }
}
