// cause: a constant asks for 64 blocks, which the lab does not read
// first: launch_setting ignored
// says: The lab does not read doublify_grid. It computes the number of blocks itself: as many as it takes for all elements, with one for each thread of a block or, where the file has doublify_items, that many for each block.
// asks:
extern "C" __constant__ int doublify_grid[3] = {64, 1, 1};
extern "C" __global__ void doublify(float *a, int n)
{
    int per = (n + 63) / 64;
    int from = blockIdx.x * per;
    for (int i = from + threadIdx.x; i < from + per && i < n; i += blockDim.x)
        a[i] *= 2;
}
