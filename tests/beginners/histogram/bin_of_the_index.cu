// cause: The bin is chosen by the index of the element instead of by its value (line 17).
// first: wrong_value unused
// says: With all elements of in equal to 5, and with all equal to 200, the bins come out the same.
// asks: Which line should use an element of in?
/* no shared result at all, one element for each thread */
extern "C" __global__ void clear_bins(int *result)
{
    result[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *in, int *result, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= n)
        return;
    int value = in[i];
    atomicAdd(&result[i % 256], 1);
}
