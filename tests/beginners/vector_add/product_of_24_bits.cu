// cause: unsigned byte = __umul24(i, sizeof(float)); multiplies only the low 24 bits of i: for i >= 2^24 it starts again at byte 0, so the last 11 elements of n = 2^24 + 11 are never written
// first: never_written low_bits
// says: __umul24 in line 10 multiplies only the low 24 bits of its factors, which hold numbers up to 16777215.
// asks: How many bits has the largest factor here
// the 24 bit multiplication is faster
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (unsigned)n) {
        unsigned byte = __umul24(i, sizeof(float));
        float x = *(const float *)((const char *)a + byte);
        float y = *(const float *)((const char *)b + byte);
        *(float *)((char *)c + byte) = x + y;
    }
}
