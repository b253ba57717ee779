// cause: the value 255 goes into bin 0
// first: wrong_value bin
// says: With all elements of in equal to 255, it is out[0] that counts them
// asks: Which index does a value lead to?
extern "C" __global__ void clear_bins(int *out)
{
    out[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *in, int *out, int len)
{
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    if (gid < len)
        atomicAdd(&out[in[gid] % 255], 1);
}
