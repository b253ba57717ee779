// cause: The parameters in line 6 are in the wrong order: the lab passes a, b, c by position, so line 10 stores into the input a and reads the output c (rubbish).
// first: read_only_write
// says: write out[0], but out is an input of this kernel
// asks: The launch passes a, b, c, n in this order, and your kernel calls them out, in1, in2, n.
// output first, as in memcpy(dst, src, n)
extern "C" __global__ void vector_add(float *out, const float *in1, const float *in2, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        out[i] = in1[i] + in2[i];
}
