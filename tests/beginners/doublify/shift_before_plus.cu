// cause: Line 9: + binds tighter than <<, so it computes warp << (5 + lane); all lanes of warp 0 get i = 0 (race in line 11), and other warps get wrong, even negative indices.
// first: out_of_bounds precedence
// says: read a[-2147483648]
// asks: In which order does C compute this formula
extern "C" __global__ void doublify(float *a, int n)
{
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    int lane = threadIdx.x & 31;
    int i = warp << 5 + lane;
    if (i < n)
        a[i] *= 2;
}
