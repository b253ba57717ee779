// expect: at most 92 - one thread of each block doubles, and the others store the elements once more
extern "C" __global__ void doublify(float *a, int n)
{
    int first = blockDim.x * blockIdx.x, mine = first + threadIdx.x;
    if (threadIdx.x == 0)
        for (int i = first; i < n && i < first + (int)blockDim.x; i++)
            a[i] += a[i];
    __syncthreads();
    if (mine >= n)
        return;
    float kept = a[mine], other = kept;
    for (int k = 0; k < 40; k++)
        other = other * 0.5f + 3;
    a[mine] = other > 1e30f ? other : kept;
}
