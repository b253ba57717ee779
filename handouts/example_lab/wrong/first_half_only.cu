// expect: never_written - moves as many elements as a swap in place would have pairs
extern "C" __global__ void reverse(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2)
        out[i] = in[n - 1 - i];
}
