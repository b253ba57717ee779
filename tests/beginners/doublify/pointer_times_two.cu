// cause: *p is meant, not p
// first: compile pointer
// says: p is a pointer, an address. The value that lies there is *p.
// asks:
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float *p = &a[i];
    if (i < n)
        p *= 2;
}
