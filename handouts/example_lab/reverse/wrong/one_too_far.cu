// expect: out_of_bounds line=6 - in[n - i]: thread 0 reads beyond the end
extern "C" __global__ void reverse(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[n - i];
}
