// cause: the block's size is a macro, which the lab cannot see
// first: launch_setting unreadable
// says: The lab cannot read doublify_block, because it is a macro, which exists only in the text.
// asks:
#define doublify_block 128
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * doublify_block + threadIdx.x;
    if (i < n)
        a[i] *= 2;
}
