// cause: Line 8: blockIdx.x goes up to 65536 for n = 2^24 + 11, which an unsigned short turns into 0, so the last 11 elements are never written.
// first: never_written narrow
// says: Elements 16777216..16777226 of c, the last ones, were never written. 16777227 elements need 65537 blocks of 256. In block (65536,0,0), line 12 stores c[0..255]. Thread (0,0,0) of it stores c[0].
// asks: Which type has the variable that cannot hold its number
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    // both fit in 16 bits
    unsigned short block = blockIdx.x;
    unsigned short thread = threadIdx.x;
    int i = block * blockDim.x + thread;
    if (i < n)
        c[i] = a[i] + b[i];
}
