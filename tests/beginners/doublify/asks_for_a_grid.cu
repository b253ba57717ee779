// cause: a constant asks for 64 blocks, which the lab does not read
// first: launch
// says: doublify asks for a grid, but this lab chooses the grid itself. Remove doublify_grid.
// asks:
extern "C" __constant__ int doublify_grid[3] = {64, 1, 1};
extern "C" __global__ void doublify(float *a, int n)
{
    int per = (n + 63) / 64;
    int from = blockIdx.x * per;
    for (int i = from + threadIdx.x; i < from + per && i < n; i += blockDim.x)
        a[i] *= 2;
}
