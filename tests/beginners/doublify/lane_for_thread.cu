// cause: the lane (threadIdx.x & 31) stands where the thread's number belongs, so the eight warps of a block double the same 32 elements
// first: race_global update
// says: lane = threadIdx.x & 31 = 32 & 31 = 0
// asks: Which index does each of them compute?
extern "C" __global__ void doublify(float *a, int n)
{
    int lane = threadIdx.x & 31;
    int i = blockIdx.x * blockDim.x + lane;
    if (i < n) {
        float old = a[i];
        a[i] = 2 * old;
    }
}
