// cause: if in place of while
// first: never_written no_loop
// says: The grid has 256 threads for 257 elements, and line 10 is in no loop.
// asks: How many threads does the grid have
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int stride = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a * x[i] + y[i];
        i += stride;
    }
}
