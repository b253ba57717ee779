// cause: The barriers from line 13 on stand in a loop (line 11) that threads without an element (k >= n) do not enter, so in the last block not all threads reach __syncthreads().
// first: early_exit passed_by
// says: each turn needs every thread
// asks: What is around the barrier, or before it
extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float buf[256];
    const int t = threadIdx.x;
    const int step = gridDim.x * blockDim.x;

    for (int k = blockIdx.x * blockDim.x + t; k < n; k += step) {
        buf[t] = a[k];
        __syncthreads();
        buf[t] *= 2.0f;
        __syncthreads();
        a[k] = buf[t];
    }
}
