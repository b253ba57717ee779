// cause: a template is never instantiated
// first: kernel_missing
// says: kernel `doublify` not found.
// asks:
template <typename T> __global__ void doublify(T *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2 * a[i];
}
