// cause: a += i and then a[i]
// first: out_of_bounds moved
// says: read a[16], but a has 16 elements (0..15)
// asks: Where does the pointer point when the line uses it, and what does the index add to that?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a += i;
    if (i < n)
        a[i] = 2 * a[i];
}
