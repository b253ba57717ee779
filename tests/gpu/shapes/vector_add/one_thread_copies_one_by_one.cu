// the first thread of each block copies for all, and awaits each element
#include <cuda_pipeline.h>

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float s[2][256];
    int first = blockIdx.x * 256, t = threadIdx.x;
    if (t == 0)
        for (int k = 0; k < 256 && first + k < n; k++) {
            __pipeline_memcpy_async(&s[0][k], &a[first + k], 4);
            __pipeline_memcpy_async(&s[1][k], &b[first + k], 4);
            __pipeline_commit();
            __pipeline_wait_prior(0);
        }
    __syncthreads();
    if (first + t < n)
        c[first + t] = s[0][t] + s[1][t];
}
