// cause: every thread of clear_bins clears all bins (right, if clumsy), but histogram counts data[i] + 1
// first: wrong_value bin
// says: With all elements of data equal to 5, it is bins[6] that counts them.
// asks: Which index does a value lead to?
extern "C" __global__ void clear_bins(int *bins)
{
    for (int i = 0; i < 256; i++)
        bins[i] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[(data[i] + 1) % 256], 1);
}
