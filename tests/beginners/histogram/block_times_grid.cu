// cause: the index has gridDim.x instead of blockDim.x
// first: wrong_value counted_again
// says: in[2] is read 2 times: first by thread (2,0,0) of block (0,0,0), last by thread (0,0,0) of block (1,0,0), at line 13
// asks: Which thread should count in[2], and which should not?
extern "C" __global__ void clear_bins(int *out)
{
    out[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *in, int *out, int len)
{
    int gid = blockIdx.x * gridDim.x + threadIdx.x;
    if (gid < len)
        atomicAdd(&out[in[gid]], 1);
}
