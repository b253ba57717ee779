// expect: at most 92 - the others count squares that leave 2 when divided by 4, of which there are none

__device__ int steps(int x)
{
    for (int k = 0; k < 50; k++)
        x = x * 1103515245 + 12345 + (x >> 7);
    return x;
}

extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ int found;
    int first = blockDim.x * blockIdx.x, mine = first + threadIdx.x, last = min(n, first + (int)blockDim.x);
    if (threadIdx.x == 0)
        found = 0;
    __syncthreads();
    int x = steps(mine < n ? __float_as_int(a[mine]) : mine);
    if ((x * x & 3) == 2)
        atomicAdd(&found, 1);
    atomicAdd(&found, x * x >> 1 & 1);
    __syncthreads();
    for (int i = first; threadIdx.x == 0 && i < last; i++)
        a[i] = a[i] * 2 + found;
}
