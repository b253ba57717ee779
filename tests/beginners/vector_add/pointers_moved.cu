// cause: the pointers already point to the thread's element and are indexed by i once more, so thread i uses element 2i
// first: out_of_bounds moved
// says: read b[32], but b has 31 elements (0..30)
// asks: Where does the pointer point when the line uses it, and what does the index add to that?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    a += i;
    b += i;
    c += i;
    c[i] = a[i] + b[i];
}
