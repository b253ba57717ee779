// cause: Lines 8 to 10 move the pointers by one element per block instead of blockDim.x elements, so later blocks repeat nearly the same elements and those further on are never written (n >= 257).
// first: never_written overlap
// says: moves c forward by blockIdx.x = 1.
// asks: What is the index of line 15 made of
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    // move the pointers to the piece of this block
    a += blockIdx.x;
    b += blockIdx.x;
    c += blockIdx.x;

    int left = n - blockIdx.x * blockDim.x;   // elements from here on
    int t = threadIdx.x;
    if (t < left)
        c[t] = a[t] + b[t];
}
