// each thread counts that it was there
__device__ float done;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
        atomicAdd(&done, 1.0f);
    }
}
