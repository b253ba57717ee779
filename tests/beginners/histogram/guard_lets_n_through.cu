// cause: The guard i <= n takes one element beyond the end (line 14).
// first: out_of_bounds guarded
// says: read in[1], but in has 1 element (0..0)
// asks: A condition precedes this access, and it let this thread through. Does it ask about the very index that is used, and about the length of in?
/* no shared result at all, one element for each thread */
extern "C" __global__ void clear_bins(int *result)
{
    result[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *in, int *result, int n)
{
    int pos = blockDim.x * blockIdx.x + threadIdx.x;
    if (pos > n)
        return;
    int value = in[pos];
    atomicAdd(&result[value], 1);
}
