// cause: bins are stored in rows of 33 and read in rows of 32
// first: wrong_value bin
// says: With all elements of data equal to 200, it is bins[194] that counts them
// asks: Which index does a value lead to?
extern "C" __global__ void clear_bins(int *bins)
{
    int b = threadIdx.x;
    bins[b] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int h[8][33];
    for (int k = threadIdx.x; k < 8 * 33; k += 256)
        h[k / 33][k % 33] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int v = data[i];
        atomicAdd(&h[v / 33][v % 33], 1);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], h[threadIdx.x / 32][threadIdx.x % 32]);
}
