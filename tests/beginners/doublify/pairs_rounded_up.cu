// cause: the number of pairs is rounded up, so for odd n the last float2 reaches beyond the end of the array
// first: out_of_bounds wide
// says: read of 8 bytes from a[0] on: they reach a[1], but a has 1 element
// asks: How many bytes does this line access at once, and which elements of a are that?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int pairs = (n + 1) / 2;
    if (i < pairs) {
        float2 v = ((float2 *)a)[i];
        v.x += v.x;
        v.y += v.y;
        ((float2 *)a)[i] = v;
    }
}
