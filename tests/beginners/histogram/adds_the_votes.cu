// cause: the votes are added, not their number
// first: wrong_value amount
// says: Atomic operations executed in this case: 2048 at line 16
// asks: What is added to a bin for in[1], and how often?
extern "C" __global__ void clear_bins(int *out)
{
    out[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *in, int *out, int len)
{
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    int key = gid < len ? in[gid] : 256;
    for (int b = 0; b < 256; b++) {
        unsigned votes = __ballot_sync(0xffffffff, key == b);
        if (threadIdx.x % 32 == 0)
            atomicAdd(&out[b], votes);
    }
}
