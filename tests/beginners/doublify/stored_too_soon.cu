// cause: stores the value before it is doubled
// first: wrong_value scaled
// says: a[0] contains a[0], where it should contain 2 x a[0].
// asks: Which operation gives that, and which one should it be?
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
