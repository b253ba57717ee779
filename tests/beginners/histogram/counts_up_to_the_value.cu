// cause: <= for ==
// first: wrong_value several
// says: With all elements of in equal to 5, 251 bins are not 0, the first of them out[5]
// asks: Which bins should an element change, and which does it change?
extern "C" __global__ void clear_bins(int *out)
{
    out[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *in, int *out, int len)
{
    int c = 0;
    for (int k = 0; k < 256; k++) {
        int g = blockIdx.x * 256 + k;
        if (g < len && in[g] <= threadIdx.x)
            c++;
    }
    atomicAdd(&out[threadIdx.x], c);
}
