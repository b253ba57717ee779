// cause: the block's number is kept in an unsigned short: only the largest array has more blocks
// first: never_written narrow
// says: Elements 16777216..16777226 of c, the last ones, were never written. 16777227 elements need 65537 blocks of 256. In block (65536,0,0), line 12 stores c[0..255].
// asks: Which type has the variable that cannot hold its number, and what is the largest number in that type?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    unsigned short g = blockIdx.x;
    int idx = threadIdx.x + g * blockDim.x;
    if (idx < n) {
        float left = a[idx];
        float right = b[idx];
        c[idx] = left + right;
    }
}
