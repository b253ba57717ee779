// expect: out_of_bounds line=5 - no guard: the last block has more threads than there are elements
extern "C" __global__ void reverse(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[n - 1 - i];
}
