// cause: the block's size is a const of the host language, which is in no module
// first: launch_setting unreadable
// says: The lab cannot read this doublify_block. It must be a __constant__ int outside of all functions
// asks:
extern "C" const int doublify_block[3] = {128, 1, 1};
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        a[i] *= 2;
}
