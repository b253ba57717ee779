// cause: the counter begins with 1
// first: wrong_value offset
// says: Every bin is too high by 1, even those whose value does not occur
// asks: Which number does a count start with?
extern "C" __global__ void clear_bins(int *out)
{
    out[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *in, int *out, int len)
{
    int c = 1;
    for (int k = 0; k < 256; k++) {
        int g = blockIdx.x * 256 + k;
        if (g < len && in[g] == threadIdx.x)
            c++;
    }
    atomicAdd(&out[threadIdx.x], c);
}
