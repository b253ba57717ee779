// each block takes a lock before it stores
__device__ unsigned lock;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        while (atomicCAS(&lock, 0u, 1u) != 0u)
            ;
    __threadfence();
    __syncthreads();
    if (i < n)
        c[i] = a[i] + b[i];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        atomicExch(&lock, 0u);
}
