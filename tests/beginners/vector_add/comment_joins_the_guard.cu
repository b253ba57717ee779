// cause: // timings of the first version are in D:/gpu/lab02/ (with backslashes) ends in a backslash, which joins the next line to the comment: if (i < n) is gone and there is no guard
// first: out_of_bounds guard
// says: read a[1], but a has 1 element (0..0)
// asks: Line 8 first: How does this line end, and where does its comment end?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // timings of the first version are in D:\gpu\lab02\
    if (i < n)
        c[i] = a[i] + b[i];
}
