// expect: launch - half a megabyte of local memory for each thread
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    volatile char local[500000];
    local[i & 0xffff] = 1;
    if (i < n)
        a[i] *= 1 + local[i & 0xffff];
}
