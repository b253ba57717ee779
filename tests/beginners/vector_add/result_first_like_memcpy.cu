// cause: vector_add(float *c, const float *a, const float *b, int n) has the parameters in another order than the lab passes them: the kernel's c is the lab's a, an input, and the real output is never written
// first: read_only_write
// says: write c[0], but c is an input of this kernel
// asks: The launch passes a, b, c, n in this order, and your kernel calls them c, a, b, n.
// result first, as in memcpy(dst, src, n)
extern "C" __global__ void vector_add(float *c, const float *a, const float *b, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
