// cause: the block's number is kept in an unsigned char, which ends at 255
// first: never_written narrow
// says: Elements 65536..100002 of c, the last ones, were never written. 100003 elements need 391 blocks of 256. In block (256,0,0), line 10 stores c[0..255].
// asks: Which type has the variable that cannot hold its number, and what is the largest number in that type?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    unsigned char block = blockIdx.x;
    int i = block * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
