// cause: a short wraps beyond 32767, and the guard lets the negative number pass
// first: out_of_bounds overflow
// says: read a[-32768], but a has 65537 elements (0..65536)
// asks: How large does the index get before it is stored, and what is the largest value of its type?
extern "C" __global__ void doublify(float *a, int n)
{
    short i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] *= 2;
}
