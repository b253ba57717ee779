// expect: at most 92 - one thread of each block doubles, and the others fill a variable that nobody reads
__device__ float pretence[1 << 17];

extern "C" __global__ void doublify(float *a, int n)
{
    int first = blockDim.x * blockIdx.x, mine = first + threadIdx.x;
    float x = mine;
    for (int k = 0; k < 30; k++)
        x = x * 1.25f - k;
    pretence[mine] = x;
    if (threadIdx.x == 0)
        for (int i = first; i < n && i < first + (int)blockDim.x; i++)
            a[i] = 2 * a[i];
}
