// cause: the block has 16 x 16 threads but the index is made of the x parts only (line 10), so the 16 rows of a block double the same elements in a race and most elements have no thread
// first: launch_setting directions
// says: The blocks of doublify have 16 x 16 threads
// asks: Which part of their numbers differs, and where does the kernel use it?
// square blocks, 16 * 16 = 256 threads
extern "C" __constant__ int doublify_block[3] = {16, 16, 1};

extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += a[i];
}
