// cause: memcpy counts bytes, not elements: only one byte of the float is copied (line 9), and the other three of c[i] are rubbish
// first: uninitialized partly
// says: of whose 4 bytes only 1 was ever written
// asks: How many bytes does one element of c have
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        memcpy(&c[i], &a[i], 1);     // one element
        c[i] += b[i];
    }
}
