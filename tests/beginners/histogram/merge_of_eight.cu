// cause: eight counts go into each eighth bin
// first: wrong_value bin
// says: With all elements of data equal to 5, it is bins[0] that counts them
// asks: Which index does a value lead to?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int h[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    h[t] = 0;
    __syncthreads();
    if (i < n) atomicAdd(&h[data[i]], 1);
    __syncthreads();
    if (t < 32)
        for (int k = 0; k < 8; k++)
            atomicAdd(&bins[t * 8], h[t * 8 + k]);
}
