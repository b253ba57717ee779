// cause: adds up everything into c[0]
// first: race_warp everybody
// says: the number of the thread is not in the index, so every thread that comes here uses the same elements
// asks: does thread 0 use in line 9, and which ones does thread 1?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[0] = a[i] + b[i];
}
