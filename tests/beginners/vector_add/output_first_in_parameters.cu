// cause: Line 5: the parameters are in another order than the lab passes them (a, b, c, n), so the kernel's c is the lab's a: it writes to an input, computes b + c, and the lab's c is never written.
// first: read_only_write
// says: write c[0], but c is an input of this kernel
// asks: The launch passes a, b, c, n in this order, and your kernel calls them c, a, b, n. Which name belongs to which argument?
extern "C" __global__ void vector_add(float *c, const float *a, const float *b, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
