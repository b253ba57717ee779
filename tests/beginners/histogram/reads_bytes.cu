// cause: data are read as bytes
// first: wrong_value several
// says: With all elements of in equal to 5, 2 bins are not 0, the first of them out[0]
// asks: Line 11 first: How many bytes does one element of the array have, and how many elements does this pointer count in them?
extern "C" __global__ void clear_bins(int *out)
{
    out[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *in, int *out, int len)
{
    const unsigned char *bytes = (const unsigned char *)in;
    int g = blockIdx.x * 256 + threadIdx.x;
    if (g < len)
        atomicAdd(&out[bytes[g]], 1);
}
