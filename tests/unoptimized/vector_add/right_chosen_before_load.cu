// cause: right: no load without an element, in any of four ways
// line: 0
// says: nothing
__device__ float take(const float *p, int i, int n)
{
    return i < n ? p[i] : 0.0f;
}

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float left[256], right[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    left[threadIdx.x] = take(a, i, n);
    if (i < n && b[i] == b[i])
        right[threadIdx.x] = b[i];
    else if (i < n)
        right[threadIdx.x] = b[min(i, n - 1)];
    __syncthreads();
    for (int k = i; k < n; k += gridDim.x * blockDim.x)
        c[k] = left[k % 256] + right[k % 256];
}
