// cause: Line 7 keeps blockIdx.x in 16 bits: with n = 2^24 + 11 there are 65537 blocks, the last one becomes block 0, and elements from 2^24 on are never written.
// first: never_written narrow
// says: Elements 16777216..16777226 of c, the last ones, were never written.
// asks: Which type has the variable that cannot hold its number
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    unsigned short blk = blockIdx.x;
    unsigned short thr = threadIdx.x;
    unsigned int   i   = blk * blockDim.x + thr;

    if (i < n)
        c[i] = a[i] + b[i];
}
