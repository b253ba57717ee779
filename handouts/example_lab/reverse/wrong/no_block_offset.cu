// expect: never_written - the index lacks the block: every block writes the first 256 elements
extern "C" __global__ void reverse(const int *in, int *out, int n)
{
    int i = threadIdx.x;
    if (i < n)
        out[i] = in[n - 1 - i];
}
