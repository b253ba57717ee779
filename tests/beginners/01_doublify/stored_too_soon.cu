// cause: stores the value before it is doubled
// first: wrong_value unchanged
// says: stores into a, but what it stores is the old value.
// asks: and where is the new one computed?
extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float t[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    t[threadIdx.x] = i < n ? a[i] : 0;
    __syncthreads();
    if (i < n) {
        a[i] = t[threadIdx.x];
        t[threadIdx.x] *= 2;
    }
}
