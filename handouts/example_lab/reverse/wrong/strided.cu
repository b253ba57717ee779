// expect: budget global_sectors - right, but neighbouring threads take elements that lie gridDim.x apart
extern "C" __global__ void reverse(const int *in, int *out, int n)
{
    int i = threadIdx.x * gridDim.x + blockIdx.x;
    if (i < n)
        out[i] = in[n - 1 - i];
}
