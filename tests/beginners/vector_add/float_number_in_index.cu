// cause: int i = blockIdx.x * 256.0f + threadIdx.x; computes the index as a float, which has 24 bits: from 2^24 on odd indices are rounded to even ones, so with n = 2^24 + 11 some elements of c are never written
// first: never_written rounds
// says: The index is made of a float (line 7), which holds each whole number only up to 16777216.
// asks: Of which type is the formula that the message names
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * 256.0f + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
