// cause: a shared array with too few elements
// first: out_of_bounds cell
// says: write s[128], but s has 128 elements (0..127)
// asks: How many cells does s have, and how many threads come to line 10, each with an index of its own?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float s[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        s[threadIdx.x] = a[i];
        c[i] = s[threadIdx.x] + b[i];
    }
}
