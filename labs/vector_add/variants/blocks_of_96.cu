// expect: pass - a block that is not a power of two, by the KERNEL_block constant
extern "C" __constant__ int vector_add_block[3] = {96, 1, 1};

__device__ int global_id()
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = global_id();
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
