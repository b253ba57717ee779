// cause: sets the number of blocks
// first: launch
// says: saxpy asks for a grid, but this lab chooses the grid itself.
// asks:
extern "C" __constant__ int saxpy_grid = 400;

extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
