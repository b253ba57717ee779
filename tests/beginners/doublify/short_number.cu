// cause: a short wraps beyond 32767, and the guard lets the negative number pass
// first: out_of_bounds narrow_index
// says: read a[-32768], but a has 65537 elements (0..65536)
// asks: Of which type is the variable that the index is made of, and which numbers can it hold?
extern "C" __global__ void doublify(float *a, int n)
{
    short i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] *= 2;
}
