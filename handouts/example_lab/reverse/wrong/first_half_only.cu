// expect: never_written - moves only half of the elements, one per pair of a swap in place
extern "C" __global__ void reverse(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2)
        out[i] = in[n - 1 - i];
}
