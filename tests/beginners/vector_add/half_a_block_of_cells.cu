// cause: the shared array has 128 cells but is indexed by 256 threads
// first: out_of_bounds cell
// says: write sa[128], but sa has 128 elements (0..127)
// asks: How many cells does sa have, and how many threads come to line 12, each with an index of its own?
#define SIZE 128

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float sa[SIZE];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        sa[threadIdx.x] = a[i];
        c[i] = sa[threadIdx.x] + b[i];
    }
}
