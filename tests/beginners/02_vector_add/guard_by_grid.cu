// cause: the guard compares the thread number with n
// first: out_of_bounds guard
// says: read b[257], but b has 257 elements (0..256)
// asks: Which threads have nothing to do?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < n)
        c[i] = a[i] + b[i];
}
