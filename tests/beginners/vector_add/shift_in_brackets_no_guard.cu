// cause: no guard; the shift has its brackets, so nothing is to be said about the order of operators
// first: out_of_bounds guard
// says: read a[1], but a has 1 element (0..0)
// asks: Which threads have nothing to do?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
    int i = (warp << 5) + lane;
    c[i] = a[i] + b[i];
}
